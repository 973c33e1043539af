import Pages

extension Page {
    /// The page as text: its title and its contents, one line each, or the sentence about its failure.
    public func text() async -> String {
        do {
            return try await ([title] + contents().flatMap(\.lines)).joined(separator: "\n")
        } catch {
            return "\(title)\n\(failure(for: error).sentence)"
        }
    }
}

extension PageContent {
    /// The content as lines of text. Buttons and fields stand in brackets.
    var lines: [String] {
        switch self {
        case .text(let text): [text]
        case .rows(let rows):
            rows.map {
                ($0.isSelected ? "* " : "- ") + $0.title + ($0.detail.isEmpty ? "" : ", \($0.detail)")
            }
        case .field(let field): ["[\(field.label)\(field.value.isEmpty ? "" : ": \(field.value)")]"]
        case .code(let code, let caption): ["\(caption): \(code)"]
        case .button(let button): ["[\(button.title)]"]
        case .file(let file): ["[\(file.title): \(file.name)]"]
        }
    }
}
