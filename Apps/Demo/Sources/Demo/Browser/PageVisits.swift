import Digests
import Foundation
import Links
import Pages

/// What the browser shows to its user: finds pages, performs each posted form once, and keeps what came of it until it
/// is shown.
@MainActor
final class PageVisits {
    /// Returns the page of an address, or throws an error whose sentence is shown instead. The address comes from a page of
    /// the app, or from outside.
    typealias Find = @MainActor @Sendable (PageAddress, Link.Callers) async throws -> any Page

    /// What came of a posted form: the page to show next, and what to show above it.
    struct Outcome {
        let address: PageAddress
        /// The page before the one at `address`.
        let back: PageAddress
        var message: String?
        var failure: PageError?
        /// Whether the form came from a page of before, and nothing was done.
        var isOutOfDate = false
        /// The values of the form that failed.
        var values: [String: String] = [:]
        /// The number of the tap in the diary.
        var tap: Int?
    }

    /// A page, with everything that its HTML shows.
    struct Screen {
        /// Without a message if the user came by no form.
        var outcome: Outcome
        var title = "No such page"
        var contents: [PageContent] = []
        var isFound = false
        /// Identifies this showing of the page, in the forms on it.
        var token = ""
        /// The modules that were called in vain during the tap that led to the page, and while the page was loaded.
        var absences: [Absence] = []
    }

    /// One showing of a page, whose forms may be posted.
    private struct Showing {
        let page: any Page
        let screen: Screen
        /// What came of the posts so far, by the digests of their forms, which may contain passwords. Equal posts have one
        /// outcome.
        var outcomes: [String: Task<Outcome, Never>] = [:]
    }

    private let find: Find
    private let diary: Diary
    private let complain: @Sendable (String) -> Void
    private var showings = Recent<Showing>()
    private var outcomes = Recent<Outcome>()
    /// The pages that other pages returned instead of a route. Here, their routes begin with "shown/".
    private var pages = Recent<any Page>()

    /// - Parameter complain: Receives the reasons of failures, which the user does not see.
    init(diary: Diary, complain: @escaping @Sendable (String) -> Void, find: @escaping Find) {
        (self.find, self.diary, self.complain) = (find, diary, complain)
    }

    /// Forgets the pages, because they belong to an app that has ended. Forms on them are out of date.
    func forgetPages() { (showings, pages) = (Recent(), Recent()) }

    /// Shows the page at an address.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - done: The identifier of the outcome to show above the page. It is shown once, so a reload does not repeat it.
    ///   - previous: The address from which the user came; nil if it is unknown.
    ///   - origin: Whether a page of the app leads to the address. One that was typed into the browser, or stands on a page
    ///     of another site, comes from outside.
    func show(
        _ address: PageAddress, done: String? = nil, from previous: PageAddress?,
        origin: Link.Callers = .inside
    ) async -> Screen {
        let outcome = done.flatMap { outcomes.values.removeValue(forKey: $0) }
        let new = Screen(outcome: outcome ?? Outcome(address: address, back: previous ?? .first))
        // The page after a tap belongs to the tap.
        if let tap = outcome?.tap { return await diary.tap(tap) { await load(new, at: address, origin) } }
        return await diary.tap("") {
            let screen = await load(new, at: address, origin)
            diary.name("Open \(RecordedText.quoted(screen.title))")
            return screen
        }
    }

    /// Finds the page of a screen, and loads its contents.
    private func load(_ new: Screen, at address: PageAddress, _ origin: Link.Callers) async -> Screen {
        var screen = new
        let outcome = new.outcome
        do {
            let shown = pages.values[String(address.route.trimmingPrefix("shown/"))]
            let page = if let shown { shown } else { try await find(address, origin) }
            (screen.title, screen.isFound) = (page.title, true)
            do {
                screen.contents = try await Diary.$module.withValue(page.module) { try await page.contents() }
            } catch { throw page.failure(for: error) }
            // A page that shows the reason of a failure itself, such as after a tap in an old tab, says it once.
            if let failure = outcome.failure { screen.contents.removeAll { $0 == .text(failure.sentence) } }
            screen.token = showings.keep(Showing(page: page, screen: screen))
        } catch {
            let failure = PageError.from(error)
            // The tap that led here may have failed for the same reason, or because the page was out of date.
            screen.outcome.message = outcome.isOutOfDate ? nil : outcome.message
            screen.outcome.failure =
                outcome.failure?.sentence == failure.sentence ? failure : report(failure, at: address)
        }
        screen.absences = diary.currentCalls.absences
        return screen
    }

    /// Performs a posted form. Equal posts from one showing of a page are performed once, also while the first is running.
    ///
    /// - Returns: The address of the page to show next, and the identifier of the outcome to show above it.
    func post(_ form: [String: String], to address: PageAddress) async -> (address: PageAddress, done: String)
    {
        guard let token = form[FormName.token], let showing = showings.values[token],
            showing.screen.outcome.address == address, showing.outcomes.count < 100
        else {
            let message = "This page was out of date, so nothing was done. Please try again."
            return (
                address,
                outcomes.keep(
                    Outcome(address: address, back: .first, message: message, isOutOfDate: true))
            )
        }
        // Quoted, so that two forms never have the same text.
        let id = Digest.sha256(Data("\(form.sorted { $0.key < $1.key })".utf8))
        let task = showing.outcomes[id] ?? Task { await perform(form, on: showing) }
        showings.values[token]?.outcomes[id] = task
        let outcome = await task.value
        return (outcome.address, outcomes.keep(outcome))
    }

    private func perform(_ form: [String: String], on showing: Showing) async -> Outcome {
        let fields = form.filter { !$0.key.hasPrefix("@") }
        let tap = PageTap(form[FormName.action, default: ""], row: form[FormName.row], fields: fields)
        let title = showing.screen.title(of: tap) ?? String(tap.action.prefix(80))
        return await diary.tap(
            "Tap \(RecordedText.quoted(title)) on \(RecordedText.quoted(showing.screen.title))"
        ) {
            var outcome = await perform(tap, fields, on: showing)
            outcome.tap = Diary.scope?.group
            return outcome
        }
    }

    private func perform(_ tap: PageTap, _ fields: [String: String], on showing: Showing) async -> Outcome {
        let (address, back) = (showing.screen.outcome.address, showing.screen.outcome.back)
        do {
            let page = showing.page
            let step = try await Diary.$module.withValue(page.module) { try await page.perform(tap) }
            if let message = step.message { diary.note(.told(message)) }
            let (next, previous) =
                switch step.place {
                case .stay: (address, back)
                case .back: (back, .first)
                case .address(let next): (next, address)
                case .page(let page): (PageAddress("shown/" + pages.keep(page)), address)
                }
            return Outcome(address: next, back: previous, message: step.message)
        } catch {
            let failure = report(showing.page.failure(for: error), at: address)
            var values: [String: String] = [:]
            for case .field(let field) in showing.screen.contents where field.kind != .password {
                values[field.name] = fields[field.name]
            }
            return Outcome(address: address, back: back, failure: failure, values: values)
        }
    }

    /// Records a failure, and reports its reason.
    private func report(_ failure: PageError, at address: PageAddress) -> PageError {
        diary.note(.refused(failure.sentence))
        if failure.reason != nil { complain("\(address.target()): \(failure)") }
        return failure
    }
}

extension Page {
    /// The module that declares the page's type.
    fileprivate var module: String { String(String(reflecting: type(of: self)).prefix { $0 != "." }) }
}

extension PageVisits.Screen {
    /// The title of the button or the row that a tap taps.
    fileprivate func title(of tap: PageTap) -> String? {
        for content in contents {
            switch content {
            case .button(let button) where button.action == tap.action && tap.row == nil: return button.title
            case .rows(let rows):
                for row in rows where row.target == .action(tap.action, row: tap.row ?? "") {
                    return row.title
                }
            default: break
            }
        }
        return nil
    }
}

/// The names of the values in forms and queries that are not fields or parameters of a page. They begin with "@".
enum FormName {
    static let token = "@token"
    static let action = "@action"
    static let row = "@row"
    static let done = "@"
}

/// Values by identifier. The oldest are forgotten, so a browser that stays open for days needs no more memory.
private struct Recent<Value> {
    var values: [String: Value] = [:]
    private var order: [String] = []

    /// Keeps a value, and returns its identifier.
    mutating func keep(_ value: Value) -> String {
        let id = UUID().uuidString
        values[id] = value
        order.append(id)
        if order.count > 500 { values[order.removeFirst()] = nil }
        return id
    }
}
