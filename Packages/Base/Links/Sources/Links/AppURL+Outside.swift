extension AppURL {
    /// The text in this URL that a call from outside may not pass to a handler; nil if there is none.
    ///
    /// A handler may use a parameter of the path as a file's name or in a line of a log, so none contains a control
    /// character or a dot segment, such as two dots between slashes. A value of the query and the fragment are free text of
    /// several lines, in which only NUL is refused, because C functions end a text there.
    ///
    /// - Parameter values: The parameters that a finder read from the path: texts and arrays of texts. A segment that
    ///   equals a literal of the pattern is no parameter.
    func unsafeText(in values: [String: any Sendable]) -> ParameterError? {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let texts = value as? [String] ?? (value as? String).map { [$0] } ?? []
            guard let text = texts.first(where: \.isUnsafeInPath) else { continue }
            let expected = "text without control characters and without dot segments"
            return ParameterError(key: key, expected: expected, found: described(text))
        }
        let free = query.map { ($0.name, $0.value) } + [("@fragment", fragment ?? "")]
        return free.first { $0.1.utf8.contains(0) }.map { key, text in
            ParameterError(key: key, expected: "text without NUL", found: described(text))
        }
    }
}

extension String {
    /// Whether the text contains a control character, or is `.` or `..` between slashes.
    ///
    /// It is split at bytes, as a file system does: a slash and a combining mark after it are one `Character`.
    fileprivate var isUnsafeInPath: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
            || utf8.split(separator: .slash).contains { $0.count <= 2 && $0.allSatisfy { $0 == .dot } }
    }
}
