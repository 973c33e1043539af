import Digests
import Foundation
import Pages

/// What the browser shows to its user: finds pages, performs each posted form once, and keeps what came of it until it
/// is shown.
@MainActor
final class PageVisits {
    /// Returns the page of an address, or throws an error whose sentence is shown instead.
    typealias Find = @MainActor @Sendable (PageAddress) async throws -> any Page

    /// A page, with everything that its HTML shows.
    struct Screen {
        var title: String
        var contents: [PageContent] = []
        var message: String?
        var failure: PageError?
        /// The values of the form that failed.
        var values: [String: String] = [:]
        /// Identifies this showing of the page, in the forms on it.
        var token = UUID().uuidString
        var isFound = true
    }

    /// One showing of a page, whose forms may be posted.
    private struct Showing {
        let location: PageLocation
        let back: PageLocation
        /// The names of the fields whose values are not kept.
        let passwords: Set<String>
        /// What came of the posts so far, by the digests of their forms, which may contain passwords. Equal posts have one
        /// outcome.
        var outcomes: [String: Task<Outcome, Never>] = [:]
    }

    /// What came of a posted form.
    private struct Outcome {
        let location: PageLocation
        /// The page before the one at `location`.
        let back: PageLocation
        var message: String?
        var failure: PageError?
        var values: [String: String] = [:]
    }

    private let find: Find
    private let diary: Diary
    private let complain: @Sendable (String) -> Void
    private var showings = Recent<Showing>()
    private var outcomes = Recent<Outcome>()
    private var pages = Recent<any Page>()

    /// - Parameter complain: Receives the reasons of failures, which the user does not see.
    init(diary: Diary, complain: @escaping @Sendable (String) -> Void, find: @escaping Find) {
        (self.find, self.diary, self.complain) = (find, diary, complain)
    }

    /// Shows the page at a location.
    ///
    /// - Parameter previous: The location from which the user came; nil if it is unknown.
    func show(_ location: PageLocation, from previous: PageLocation?) async -> Screen {
        let place = location.withoutOutcome
        diary.note(.step("Open \(place.shortTarget)"))
        var screen: Screen
        do {
            let page = try await page(at: place)
            screen = Screen(title: page.title)
            do {
                screen.contents = try await page.contents()
            } catch {
                screen.failure = report(page.failure(for: error), at: place)
            }
        } catch {
            screen = Screen(title: "No such page", failure: report(.from(error), at: place), isFound: false)
        }
        // An outcome is shown once, so a reload does not repeat its message.
        let outcome = location.done.flatMap { outcomes.remove($0) }
        screen.message = outcome?.message
        screen.failure = screen.failure ?? outcome?.failure
        screen.values = outcome?.values ?? [:]
        let before = outcome?.back ?? previous?.withoutOutcome ?? .first
        let passwords = Set(screen.contents.compactMap(\.password))
        showings.insert(
            Showing(location: place, back: before, passwords: passwords), for: screen.token)
        return screen
    }

    /// Performs a posted form, and returns the location to show next. Equal posts from one showing of a page are
    /// performed once, also while the first is running.
    func post(_ form: [String: String], to location: PageLocation) async -> PageLocation {
        let location = location.withoutOutcome
        guard let token = form[FormName.token], var showing = showings[token], showing.location == location,
            showing.outcomes.count < 100
        else {
            let message = "This page was out of date, so nothing was done. Please try again."
            return keep(Outcome(location: location, back: .first, message: message))
        }
        let id = Self.digest(of: form)
        let task = showing.outcomes[id] ?? Task { [showing] in await perform(form, on: showing) }
        showing.outcomes[id] = task
        showings.insert(showing, for: token)
        return keep(await task.value)
    }

    private func perform(_ form: [String: String], on showing: Showing) async -> Outcome {
        let (location, back) = (showing.location, showing.back)
        diary.note(.step("Tap \(form[FormName.action, default: ""].prefix(80)) on \(location.shortTarget)"))
        let fields = form.filter { !FormName.all.contains($0.key) }
        let tap = PageTap(form[FormName.action, default: ""], row: form[FormName.row], fields: fields)
        do {
            let page = try await page(at: location)
            do {
                let step = try await page.perform(tap)
                if let message = step.message { diary.note(.told(message)) }
                return switch step.place {
                case .stay: Outcome(location: location, back: back, message: step.message)
                case .back: Outcome(location: back, back: .first, message: step.message)
                case .address(let address):
                    Outcome(location: PageLocation(address), back: location, message: step.message)
                case .page(let page): Outcome(location: keep(page), back: location, message: step.message)
                }
            } catch {
                let failure = report(page.failure(for: error), at: location)
                return Outcome(
                    location: location, back: back, failure: failure,
                    values: fields.filter { !showing.passwords.contains($0.key) })
            }
        } catch {
            return Outcome(location: location, back: back, failure: report(.from(error), at: location))
        }
    }

    private static func digest(of form: [String: String]) -> String {
        let values = form.sorted { $0.key < $1.key }.flatMap { [Data($0.key.utf8), Data($0.value.utf8)] }
        return Digest.sha256(values.reduce(into: Data()) { $0 += Data("\($1.count) ".utf8) + $1 })
    }

    private func page(at location: PageLocation) async throws -> any Page {
        guard let id = location.shown else { return try await find(location.address) }
        guard let page = pages[id] else { throw PageError("This page is no longer open.") }
        return page
    }

    /// Gives a page without an address a location.
    private func keep(_ page: any Page) -> PageLocation {
        let id = UUID().uuidString
        pages.insert(page, for: id)
        return PageLocation(shown: id)
    }

    private func keep(_ outcome: Outcome) -> PageLocation {
        let id = UUID().uuidString
        outcomes.insert(outcome, for: id)
        return PageLocation(outcome.location.address, done: id)
    }

    /// Records a failure, and reports its reason.
    private func report(_ failure: PageError, at location: PageLocation) -> PageError {
        diary.note(.refused(failure.sentence))
        if failure.reason != nil { complain("\(location.target): \(failure)") }
        return failure
    }
}

extension PageContent {
    /// The name of the field, if this is a field for a password.
    fileprivate var password: String? {
        if case .field(let field) = self, field.kind == .password { field.name } else { nil }
    }
}

/// The names of the form values that are not fields of a page.
enum FormName {
    static let token = "@token"
    static let action = "@action"
    static let row = "@row"
    static let all: Set = [token, action, row]
}

/// Values by identifier. The oldest are forgotten, so a browser that stays open for days needs no more memory.
private struct Recent<Value> {
    private var values: [String: Value] = [:]
    private var order: [String] = []

    subscript(id: String) -> Value? { values[id] }

    mutating func insert(_ value: Value, for id: String) {
        if values.updateValue(value, forKey: id) == nil { order.append(id) }
        if order.count > 500 { values[order.removeFirst()] = nil }
    }

    mutating func remove(_ id: String) -> Value? { values.removeValue(forKey: id) }
}
