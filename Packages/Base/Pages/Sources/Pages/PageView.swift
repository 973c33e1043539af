#if canImport(SwiftUI)
import SwiftUI

/// Shows one page. The app decides what its steps do, such as to push the next page on a navigation stack.
///
/// The view loads the contents when it appears and after each action. While an action runs, no other begins.
public struct PageView: View {
    private let page: any Page
    private let go: @MainActor (PageStep) async throws -> Void
    @State private var message: String?
    @State private var contents: [PageContent] = []
    @State private var values: [String: String] = [:]
    @State private var failure: PageError?
    @State private var isBusy = false

    /// Creates the view.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - message: The message of the action that opened the page.
    ///   - go: Goes on after an action, except for ``PageStep/Place/stay``. If it throws, the page shows the error.
    public init(
        _ page: any Page, message: String? = nil, go: @escaping @MainActor (PageStep) async throws -> Void
    ) {
        (self.page, self.go, _message) = (page, go, State(initialValue: message))
    }

    public var body: some View {
        List {
            if let message { Text(message) }
            if let failure {
                Text(failure.sentence(on: contents))
                if let row = failure.wayOut { view(of: row) }
            }
            ForEach(Array(contents.enumerated()), id: \.offset) { _, content in view(of: content) }
        }
        .navigationTitle(page.title)
        .disabled(isBusy)
        .onAppear { run() }
    }

    @ViewBuilder private func view(of content: PageContent) -> some View {
        switch content {
        case .text(let text): Text(text)
        case .rows(let rows): ForEach(rows, id: \.self) { view(of: $0) }
        case .field(let field): view(of: field)
        case .code(let code, let caption): LabeledContent(caption, value: code)
        case .button(let button): Button(button.title) { tap(PageTap(button.action, fields: values)) }
        }
    }

    @ViewBuilder private func view(of row: PageRow) -> some View {
        if case .web(let text) = row.target, let url = URL(string: text) {
            Link(row.title, destination: url)
        } else {
            Button(action: { tap(row) }) {
                LabeledContent((row.isSelected ? "✓ " : "") + row.title, value: row.detail)
            }
        }
    }

    @ViewBuilder private func view(of field: PageField) -> some View {
        switch field.kind {
        case .password: SecureField(field.label, text: $values[text: field.name])
        case .choice(let all):
            Picker(field.label, selection: $values[text: field.name]) {
                ForEach(all, id: \.self) { Text($0) }
            }
        case .box: Toggle(field.label, isOn: $values[box: field.name])
        case .text, .phone: TextField(field.label, text: $values[text: field.name])
        }
    }

    private func tap(_ row: PageRow) {
        switch row.target {
        case .action(let action, let row): tap(PageTap(action, row: row))
        case .address(let address): run { try await go(.open(address.route, address.parameters)) }
        case .none, .web: break
        }
    }

    private func tap(_ tap: PageTap) {
        run {
            let step = try await page.perform(tap)
            if case .stay = step.place { message = step.message } else { try await go(step) }
        }
    }

    /// Runs an action, and loads the contents again.
    private func run(_ action: @escaping () async throws -> Void = {}) {
        guard !isBusy else { return }
        (isBusy, failure) = (true, nil)
        Task {
            do {
                try await action()
                contents = try await page.contents()
                values = [:]
                for case .field(let field) in contents { values[field.name] = field.value }
            } catch {
                failure = page.failure(for: error)
            }
            isBusy = false
        }
    }
}

extension [String: String] {
    fileprivate subscript(text name: String) -> String {
        get { self[name, default: ""] }
        set { self[name] = newValue }
    }

    fileprivate subscript(box name: String) -> Bool {
        get { self[name] == PageTap.on }
        set { self[name] = newValue ? PageTap.on : nil }
    }
}
#endif
