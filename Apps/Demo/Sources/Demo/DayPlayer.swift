import Pages
import UserApi

/// Plays the sample day through the code that shows the pages in a browser.
@MainActor
final class DayPlayer {
    private let app: DemoApp
    private let visits: PageVisits
    /// Whether nobody is logged in from an earlier day.
    private let isNew: Bool
    /// Whether a module of the sample is missing. In a whole app, another sentence has another reason, such as old data.
    private let isCropped: Bool
    /// The page on the screen.
    private var address = PageAddress.first
    private var screen = PageVisits.Screen(outcome: PageVisits.Outcome(address: .first, back: .first))

    /// - Parameter complain: Receives the reasons of failures, which the passenger does not read.
    init(_ app: DemoApp, complain: @escaping @Sendable (String) -> Void) {
        self.app = app
        isNew = app.center.api(type: UserApiProtocol.self)?.session == nil
        isCropped = !Diary.apis.isSubset(of: app.center.allRegisteredApi())
        visits = PageVisits(diary: app.diary, complain: complain, find: app.page)
    }

    /// Plays the steps, and records them in the app's diary.
    func play(_ steps: [DayStep]) async {
        let observer = DiaryObserver(app)
        defer { withExtendedLifetime(observer) {} }
        for step in steps {
            await app.diary.tap(step.title, isStep: true) { await play(step) }
        }
    }

    /// Plays a step until its end, or until a page does not offer what the passenger wants to tap.
    private func play(_ step: DayStep) async {
        for part in step.parts {
            switch part {
            case .tap(let tap): guard await play(tap) else { return }
            case .event(let event):
                do { try await event(app) } catch { app.diary.note(.refused(message(for: error))) }
            }
        }
    }

    /// Returns whether the page offers the tap.
    private func play(_ tap: DayStep.Tap) async -> Bool {
        let page = PageAddress(tap.route)
        if page != address || screen.form(for: tap) == nil { await show(page) }
        let form = screen.form(for: tap)
        if let form {
            let next = await visits.post(form, to: page)
            await show(next.address, done: next.done)
        }
        let lines = screen.lines
        let seen = lines.first { $0.contains(tap.sees) }
        // The visit has recorded a message or a failure.
        if screen.outcome.message == nil, screen.outcome.failure == nil {
            let instead = tap.instead.flatMap { start in lines.first { $0.hasPrefix(start) } }
            let line = seen ?? instead ?? lines.first ?? ""
            app.diary.note(.told(line == screen.title ? line : "\(screen.title): \(line)"))
        }
        // A passenger of an earlier day reads other sentences, on pages that work.
        if seen == nil, isCropped, isNew || screen.outcome.failure != nil {
            app.diary.note(.told("With all modules, a new passenger reads: \(tap.sees)"))
        }
        return form != nil || tap.action == nil
    }

    private func show(_ next: PageAddress, done: String? = nil) async {
        screen = await visits.show(next, done: done, from: address)
        address = next
    }
}

extension PageVisits.Screen {
    /// What the passenger reads below the title, line by line.
    fileprivate var lines: [String] {
        [outcome.message, outcome.failure?.sentence].compactMap(\.self)
            + contents.flatMap(\.lines).map { String($0.trimmingPrefix("- ")) }
    }

    /// The form that a browser sends for a tap; nil if the page does not offer the tap.
    fileprivate func form(for tap: DayStep.Tap) -> [String: String]? {
        guard let action = tap.action else { return nil }
        let form = [FormName.token: token, FormName.action: action]
        var values: [String: String] = [:]
        for content in contents {
            switch content {
            case .field(let field): values[field.name] = field.value
            case .button(let button) where button.action == action:
                return values.merging(tap.values) { $1 }.merging(form) { $1 }
            case .button: values = [:]
            case .rows(let rows):
                for case .action(action, let row) in rows.map(\.target) where row == tap.row ?? row {
                    return form.merging([FormName.row: row]) { $1 }
                }
            case .text, .code, .file: break
            }
        }
        return nil
    }
}
