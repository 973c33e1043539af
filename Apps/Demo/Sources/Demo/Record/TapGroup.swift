import Foundation

/// What happened during a tap, or during a step of the sample day: the calls between modules and what the passenger read, in
/// order.
struct TapGroup: Sendable, Hashable {
    /// Something that happened during a tap.
    enum Event: Sendable, Hashable {
        /// A message to the passenger.
        case told(String)
        /// A refusal, with the reason that the passenger reads.
        case refused(String)
        case call(ModuleCall)

        var call: ModuleCall? { if case .call(let call) = self { call } else { nil } }
    }

    /// The number of events that a group keeps at most, so that a step that never ends needs no more memory.
    static let limit = 2000

    /// Counts from 1, in the order in which the groups began.
    let number: Int
    /// Empty until the title is known: a page has to be found first.
    fileprivate(set) var title: String
    let began: Date
    /// Whether a step of the sample day began the group, and no tap on a page.
    let isStep: Bool
    /// The events, each at the place where it began.
    fileprivate(set) var events: [Event] = []
    /// The version of the diary that changed the group last.
    fileprivate(set) var version: Int

    init(number: Int, title: String, began: Date, isStep: Bool, version: Int) {
        (self.number, self.title, self.began, self.isStep) = (number, title, began, isStep)
        self.version = version
    }

    var calls: [ModuleCall] { events.compactMap(\.call) }

    /// Adds an event, and returns its index; nil if the group is full.
    mutating func add(_ event: Event, version: Int) -> Int? {
        guard events.count < Self.limit else { return nil }
        events.append(event)
        self.version = version
        return events.count - 1
    }

    /// Sets the title, unless the group has one.
    mutating func name(_ title: String, version: Int) {
        guard self.title.isEmpty else { return }
        (self.title, self.version) = (title, version)
    }

    /// Changes a call.
    mutating func change(_ index: Int, version: Int, _ change: (inout ModuleCall) -> Void) {
        guard events.indices.contains(index), case .call(var call) = events[index] else { return }
        change(&call)
        events[index] = .call(call)
        self.version = version
    }
}

/// A call into a module, or a request to the operator's server.
struct ModuleCall: Encodable, Sendable, Hashable {
    enum Way: String, Encodable, Sendable {
        case api, route, action, notification, request
    }

    let way: Way
    /// The calling module; nil if it is unknown, as for a notification or a request that begins in no module's call.
    let caller: String?
    /// The called module, even if it is absent; `Notifications` for a notification, whose observers are unknown; `Operator`
    /// for a request; `no module` for an action that no module has answered before.
    let callee: String
    /// The name of the Api, the pattern of the route, the target and its action, the name of the notification, or the method
    /// and the path of the request.
    let name: String
    /// The member that was called, with its arguments, or the parameters of a link; nil for a look-up of an Api.
    var member: String?
    /// What the caller asks for, as the end of the sentence "Ride asks Gate ..."; nil until a member is called.
    var words: String?
    /// The source location of the call, or of the look-up before it; nil when it is unknown.
    var file: String?
    var line: UInt?
    /// Whether the called module is missing from the app.
    var isAbsent = false
    /// The value with which the call ended, or the status of the response; nil if it has not ended, or has no value.
    var value: String?
    /// The error with which the call ended.
    var error: String?
    /// The duration of the call; nil if it has not ended, and for a look-up.
    var seconds: Double?
    /// The index of the call during which this one began; nil for the outermost ones.
    var parent: Int?

    private enum CodingKeys: CodingKey {
        case way, caller, callee, name, member, file, line, isAbsent, value, error, seconds
    }

    /// The name of the file and the line of the call, such as `HomePage.swift:18`; empty when they are unknown.
    var place: String {
        guard let file, let line else { return "" }
        return "\(file.split(separator: "/").last ?? ""):\(line)"
    }
}
