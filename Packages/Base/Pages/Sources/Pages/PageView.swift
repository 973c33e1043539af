#if canImport(SwiftUI)
import SwiftUI

/// Shows one page. The app decides what its steps do, such as to push the next page on a navigation stack.
///
/// The view loads the contents when it appears, when the app becomes active, and after each action that stays on the page. A
/// user who comes back to the page finds what they entered. While an action runs, no other begins.
public struct PageView: View {
    private let page: any Page
    private let message: String?
    private let go: @MainActor (PageStep) async throws -> Void
    @State private var state: PageState
    @Environment(\.scenePhase) private var phase

    /// Creates the view.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - message: The message of the action that led to the page. A new value replaces the message that is shown.
    ///   - go: Shows the next page: for the step of an action, unless its place is ``PageStep/Place/stay``, and for a tapped
    ///     row that has an address. If the closure throws, the page shows the error.
    public init(
        _ page: any Page, message: String? = nil, go: @escaping @MainActor (PageStep) async throws -> Void
    ) {
        (self.page, self.message, self.go) = (page, message, go)
        _state = State(initialValue: PageState(message: message))
    }

    public var body: some View {
        List {
            if let message = state.message { Text(message) }
            if let failure = state.pageFailure {
                Text(failure.sentence)
                if let row = failure.wayOut { view(of: row) }
            }
            ForEach(Array(state.contents.enumerated()), id: \.offset) { _, content in view(of: content) }
        }
        .navigationTitle(page.title)
        .disabled(state.isBusy)
        .onAppear { run(.appear) }
        .onChange(of: message) { _, message in state.show(message) }
        .onChange(of: phase) { _, phase in
            if phase == .active { run(.appear) }
        }
    }

    @ViewBuilder private func view(of content: PageContent) -> some View {
        switch content {
        case .text(let text): Text(text)
        case .rows(let rows): ForEach(rows, id: \.self) { view(of: $0) }
        case .field(let field):
            view(of: field)
            if let failure = state.failure(at: field) {
                Text(failure.sentence)
                if let row = failure.wayOut { view(of: row) }
            }
        case .code(let code, let caption): LabeledContent(caption, value: code)
        case .file(let file): LabeledContent(file.title, value: file.text)
        case .button(let button):
            Button(button.title) {
                run(.tap(PageTap(button.action, fields: state.values)))
            }
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
        case .password: SecureField(field.label, text: $state.values[text: field.name])
        case .choice(let all), .stop(let all):
            Picker(field.label, selection: $state.values[text: field.name]) {
                ForEach(all, id: \.self) { Text($0) }
            }
        case .box: Toggle(field.label, isOn: $state.values[box: field.name])
        case .text, .phone: TextField(field.label, text: $state.values[text: field.name])
        }
    }

    private func tap(_ row: PageRow) {
        switch row.target {
        case .action(let action, let row): run(.tap(PageTap(action, row: row)))
        case .address(let address): run(.open(address))
        case .none, .web: break
        }
    }

    private func run(_ visit: PageVisit) {
        guard state.begin(visit) else { return }
        Task {
            state.end(visit, await page.change(after: visit, go: go))
            if state.isStale { run(.appear) }
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
