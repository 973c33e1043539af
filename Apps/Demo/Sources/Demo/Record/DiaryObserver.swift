import ApiCenter
import Foundation
import Links
import Synchronization

/// Records in a diary the look-ups of Apis, the calls of links and the notifications of an app, as long as the observer
/// exists.
///
/// Thread-safe.
final class DiaryObserver: Sendable {
    private let diary: Diary
    private let notifications: NotificationCenter
    private let token = Mutex<(any NSObjectProtocol)?>(nil)
    private let observation: ApiObservation

    /// Begins to observe.
    init(_ app: DemoApp) {
        (diary, notifications) = (app.diary, app.notifications)
        observation = app.center.addObserver { [diary] call in diary.note(call) }
        for action in app.mediator.allActions() {
            diary.provides(action.site.module, [action.name.description])
        }
        diary.observe(app.routes.table)
        token.withLock { [diary, notifications] token in
            token = notifications.addObserver(forName: nil, object: nil, queue: nil) { notification in
                diary.notePost(of: notification.name.rawValue)
            }
        }
    }

    deinit {
        observation.end()
        token.withLock { token in
            if let token { notifications.removeObserver(token) }
        }
    }
}

extension Diary {
    /// Records the calls of routes and actions.
    func observe(_ links: LinkTable) {
        links.addObserver { [weak self] call in self?.begin(call) ?? { _ in } }
    }

    /// Records a look-up of an Api, except a module's look-up of its own Api.
    fileprivate func note(_ call: ApiCall) {
        guard let (callee, name) = answering(call.api) else { return }
        guard callee != call.site.module else {
            return LookUp(position: nil, call: nil).handOver(for: call.type, of: self)
        }
        var noted = ModuleCall(way: .api, caller: call.site.module, callee: callee, name: name)
        (noted.file, noted.line, noted.isAbsent) = (call.site.fileID, call.site.line, !call.isRegistered)
        // A failed look-up has been reported before, without the error.
        if let failure = call.failure {
            fail(noted, RecordedText.of(error: failure))
        } else {
            LookUp(position: note(noted), call: noted).handOver(for: call.type, of: self)
        }
    }

    /// Records a notification, which does not reveal its poster.
    fileprivate func notePost(of name: String) {
        note(ModuleCall(way: .notification, caller: Self.module, callee: "Notifications", name: name))
    }

    /// Records the beginning of a call of a link. The returned closure records its end. A URL that no link answers is not
    /// recorded, because it may contain secrets.
    private func begin(_ link: LinkCall) -> @Sendable ((any Error)?) -> Void {
        guard let name = link.link ?? link.name else { return { _ in } }
        let module = link.module ?? provider(of: name.description)
        var call = ModuleCall(
            way: name.kind == .route ? .route : .action, caller: link.caller.module,
            callee: module ?? ModuleCall.nobody, name: name.description)
        (call.file, call.line) = (link.caller.fileID, link.caller.line)
        let texts = link.parameters.values.compactMapValues { $0 as? String }.sorted { $0.key < $1.key }
        if !texts.isEmpty {
            call.member = texts.map { RecordedText.parameter($0, $1) }.joined(separator: ", ")
        }
        let clock = ContinuousClock(), began = clock.now
        let position = note(call)
        return { [weak self] error in
            guard let position else { return }
            let isAbsent = (error as? LinkError)?.says(isAbsent: name) == true
            if isAbsent { self?.change(position) { $0.isAbsent = true } }
            let text = isAbsent ? nil : error.map(RecordedText.of(error:))
            self?.end(position, error: text, after: clock.now - began)
        }
    }

    /// Returns the module that implements an Api, and the short name of the Api; nil for a type that is not declared in an Api
    /// package.
    func answering(_ api: String) -> (module: String, name: String)? {
        let parts = api.split(separator: ".").map(String.init)
        guard let package = parts.first, package.hasSuffix("Api"), let type = parts.last else { return nil }
        return (
            provider(of: api) ?? String(package.dropLast("Api".count)),
            type.hasSuffix("Protocol") ? String(type.dropLast("Protocol".count)) : type
        )
    }
}

extension LinkError {
    /// Whether no module of the app answers a link. An error of a call that the link's handler has made concerns another one.
    fileprivate func says(isAbsent name: Link.Name) -> Bool {
        switch reason {
        case .absentModule, .targetNotFound, .actionNotFound: self.name == name
        default: false
        }
    }
}
