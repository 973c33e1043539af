/// What the user of a page's view does.
enum PageVisit {
    /// Comes to the page, or back to it.
    case appear
    /// Taps an action of the page.
    case tap(PageTap)
    /// Taps a row that opens another page.
    case open(PageAddress)
}

/// What a page's view shows after a visit.
enum PageChange {
    /// The app shows another page. This page keeps what it shows, and loads its contents when the user comes back.
    case left
    /// New contents, and the message of the action; nil without one.
    case loaded([PageContent], message: String?)
    /// An error.
    case failed(PageError)
}

extension Page {
    /// Performs what the user does, and loads the contents unless the app shows another page.
    ///
    /// - Parameter go: Shows another page.
    @MainActor func change(
        after visit: PageVisit, go: @MainActor (PageStep) async throws -> Void
    ) async -> PageChange {
        do {
            var message: String?
            switch visit {
            case .appear: break
            case .open(let address):
                try await go(.open(address.route, address.parameters))
                return .left
            case .tap(let tap):
                let step = try await perform(tap)
                guard case .stay = step.place else {
                    try await go(step)
                    return .left
                }
                message = step.message
            }
            return .loaded(try await contents(), message: message)
        } catch {
            return .failed(failure(for: error))
        }
    }
}

/// What a page's view shows and its user has entered, without a UI framework.
struct PageState {
    private(set) var message: String?
    private(set) var contents: [PageContent] = []
    private(set) var failure: PageError?
    private(set) var isBusy = false
    /// Whether the user has come back to the page while a visit was under way: its view then loads the contents again.
    private(set) var isStale = false
    /// The values of the fields, by name. A box that is off has none.
    var values: [String: String] = [:]

    /// - Parameter message: The message of the action that opened the page.
    init(message: String?) { self.message = message }

    /// Shows the message of an action on another page that led here.
    mutating func show(_ message: String?) { self.message = message }

    /// Begins a visit. Returns false while another one is under way.
    mutating func begin(_ visit: PageVisit) -> Bool {
        guard !isBusy else {
            if case .appear = visit { isStale = true }
            return false
        }
        (isBusy, isStale, failure) = (true, false, nil)
        return true
    }

    /// Ends a visit. A user who comes back to the page finds what they entered; after an action, the fields have the
    /// values of the new contents.
    mutating func end(_ visit: PageVisit, _ change: PageChange) {
        isBusy = false
        switch change {
        case .left: break
        case .failed(let error): failure = error
        case .loaded(let new, let message):
            var kept: Set<String> = []
            if case .appear = visit { kept = Set(fields.map(\.name)) } else { self.message = message }
            contents = new
            let entered = values
            values = [:]
            for field in fields {
                values[field.name] = kept.contains(field.name) ? entered[field.name] : field.value
            }
        }
    }

    /// The failure to show above the contents; nil if it stands at the field that it is about.
    var pageFailure: PageError? {
        failure.flatMap { failure in fields.contains { $0.name == failure.field } ? nil : failure }
    }

    /// The failure to show below a field, whose label it therefore need not repeat.
    func failure(at field: PageField) -> PageError? { failure?.field == field.name ? failure : nil }

    private var fields: [PageField] {
        contents.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}
