import Dispatch
import Foundation
import Synchronization

/// A record of what happens during each tap. The reports of the day are made from it, and the browser follows it live.
///
/// What happens belongs to the tap whose task it runs in. What happens outside any tap, such as on a queue of a module,
/// belongs to the newest tap. Before the first tap, nothing is recorded.
///
/// All methods are thread-safe.
final class Diary: Sendable {
    /// The tap, and the call in it, during which the current task runs.
    struct Scope: Sendable, Hashable {
        /// The number of the group.
        let group: Int
        /// The index of the call.
        var call: Int?
    }

    /// Nil outside any tap.
    @TaskLocal static var scope: Scope?
    /// The module whose page, service or handler of an event the current task runs in; nil if it is unknown.
    @TaskLocal static var module: String?

    /// The place of an event in the record.
    struct Position: Sendable, Hashable {
        let group: Int
        let index: Int
    }

    private struct State {
        var groups: [TapGroup] = []
        var version = 0
        /// The module that registered each Api or action, keyed by its name.
        var providers: [String: String] = [:]
        var followers: [ObjectIdentifier: DispatchSemaphore] = [:]

        mutating func change(_ number: Int, _ change: (inout TapGroup, _ version: Int) -> Void) {
            guard let first = groups.first?.number, groups.indices.contains(number - first) else { return }
            version += 1
            change(&groups[number - first], version)
        }
    }

    /// The number of groups that are kept, so that an app that runs for days needs no more memory.
    static let limit = 300

    private let state = Mutex(State())
    /// Distinguishes this record from those of other runs, in which the same numbers mean other taps.
    let run = UUID().uuidString

    /// The groups so far, without the oldest of a long run.
    var groups: [TapGroup] { state.withLock { $0.groups } }

    /// The number of changes so far. A follower asks for the groups that have changed since a version.
    var version: Int { state.withLock { $0.version } }

    /// Returns the groups that have changed since a version, oldest first, and the current version.
    func changes(since version: Int) -> (groups: [TapGroup], version: Int) {
        state.withLock { state in (state.groups.filter { $0.version > version }, state.version) }
    }

    /// The calls of the current tap so far.
    var currentCalls: [ModuleCall] {
        Self.scope.flatMap { scope in groups.first { $0.number == scope.group } }?.calls ?? []
    }

    // MARK: Record

    /// Runs `body` as a tap: what happens in its task, and in tasks that it begins, belongs to one group.
    ///
    /// - Parameters:
    ///   - title: The title of a new group; empty if ``name(_:)`` sets it. A tap during another one, such as during a step of
    ///     the sample day, belongs to the other one's group.
    ///   - isStep: Whether this is a step of the sample day.
    nonisolated(nonsending) func tap<Value>(
        _ title: String, isStep: Bool = false, _ body: () async -> Value
    ) async -> Value {
        let isInner = Self.scope.map { scope in groups.contains { $0.number == scope.group } } ?? false
        if isInner { return await body() }
        return await tap(begin(title, isStep: isStep), body)
    }

    /// Runs `body` as a part of an earlier tap.
    nonisolated(nonsending) func tap<Value>(_ group: Int, _ body: () async -> Value) async -> Value {
        await Self.$scope.withValue(Scope(group: group), operation: body)
    }

    /// Begins a group, and returns its number.
    @discardableResult
    func begin(_ title: String, isStep: Bool = false) -> Int {
        changing { state in
            state.version += 1
            let number = (state.groups.last?.number ?? 0) + 1
            state.groups.append(
                TapGroup(
                    number: number, title: title, began: Date(), isStep: isStep, version: state.version))
            if state.groups.count > Self.limit { state.groups.removeFirst() }
            return number
        }
    }

    /// Sets the title of the current tap, unless it has one.
    func name(_ title: String) {
        guard let group = Self.scope?.group else { return }
        changing { state in state.change(group) { $0.name(title, version: $1) } }
    }

    /// Records an event.
    ///
    /// - Returns: Its position; nil if it was not recorded, because there is no group, or the group is full.
    @discardableResult
    func note(_ event: TapGroup.Event) -> Position? {
        let scope = Self.scope
        return changing { state in
            guard let newest = state.groups.last?.number else { return nil }
            let group = scope?.group ?? newest
            var index: Int?
            state.change(group) { index = $0.add(event, version: $1) }
            return index.map { Position(group: group, index: $0) }
        }
    }

    /// Records a call that begins.
    @discardableResult
    func note(_ call: ModuleCall) -> Position? {
        var call = call
        call.parent = Self.scope?.call
        return note(.call(call))
    }

    /// Changes a call, such as when it ends.
    func change(_ position: Position, _ change: (inout ModuleCall) -> Void) {
        changing { state in
            state.change(position.group) { $0.change(position.index, version: $1, change) }
        }
    }

    /// Records how a call ended.
    func end(_ position: Position, value: String? = nil, error: String? = nil, after duration: Duration) {
        change(position) { call in
            (call.value, call.error) = (value, error)
            call.seconds = duration / .seconds(1)
        }
    }

    /// Records that the last call that equals `call` has failed.
    func fail(_ call: ModuleCall, _ error: String) {
        let group = Self.scope?.group ?? groups.last?.number
        guard let found = groups.first(where: { $0.number == group }) else { return }
        let index = found.events.lastIndex { event in
            guard var other = event.call else { return false }
            other.parent = call.parent
            return other == call
        }
        guard let index else { return }
        change(Position(group: found.number, index: index)) { $0.error = error }
    }

    private func changing<Value: Sendable>(_ change: (inout sending State) -> sending Value) -> Value {
        let (value, followers) = state.withLock { state in
            (change(&state), Array(state.followers.values))
        }
        for follower in followers { follower.signal() }
        return value
    }

    // MARK: Follow

    /// Calls `read` at once, after changes, and every `pause` seconds, until it returns false. Blocks its thread.
    func follow(pause: Int, _ read: () -> Bool) {
        let signal = DispatchSemaphore(value: 0)
        state.withLock { $0.followers[ObjectIdentifier(signal)] = signal }
        defer { state.withLock { _ = $0.followers.removeValue(forKey: ObjectIdentifier(signal)) } }
        while read() {
            _ = signal.wait(timeout: .now() + .seconds(pause))
            // One `read` takes all changes so far.
            while signal.wait(timeout: .now()) == .success {}
        }
    }

    // MARK: The modules behind the Apis and the actions

    /// Records that a module registered these Apis or actions. It stays known when a later launch leaves the module out.
    func provides(_ module: String, _ names: some Sequence<String> & Sendable) {
        state.withLock { state in
            for name in names { state.providers[name] = module }
        }
    }

    /// Returns the names of the Apis that a module registered, sorted.
    func apis(of module: String) -> [String] {
        state.withLock { $0.providers.filter { $0.value == module }.keys.sorted() }
    }

    /// Returns the module that registered an Api or an action.
    func provider(of name: String) -> String? { state.withLock { $0.providers[name] } }
}
