import Foundation

/// A look-up of an Api, on whose result members are called.
struct LookUp: Sendable {
    /// The look-up in the record; nil if it was not recorded.
    let position: Diary.Position?
    /// The recorded call; nil for a module's look-up of its own Api, whose calls are not recorded.
    let call: ModuleCall?

    /// Hands the look-up to the builder of the forwarder, which the center calls next on the same thread.
    func handOver(for api: Any.Type, of diary: Diary) {
        Thread.current.threadDictionary[Self.key] = Handed(lookUp: self, api: api, diary: diary)
    }

    /// Takes the look-up that led to the builder which calls this method; nil if nobody observes the center.
    static func taken(for api: Any.Type, of diary: Diary) -> LookUp? {
        let values = Thread.current.threadDictionary
        guard let handed = values[key] as? Handed, handed.api == api, handed.diary === diary else {
            return nil
        }
        values.removeObject(forKey: key)
        return handed.lookUp
    }

    private static let key = "Demo.LookUp"

    private final class Handed {
        let lookUp: LookUp
        let api: Any.Type
        let diary: Diary

        init(lookUp: LookUp, api: Any.Type, diary: Diary) {
            (self.lookUp, self.api, self.diary) = (lookUp, api, diary)
        }
    }
}

/// Records the calls of one caller that go through a forwarder. Each forwarder has one.
struct CallRecorder: Sendable {
    let diary: Diary
    /// The module behind the forwarder.
    let callee: String
    /// Nil if nobody observes the center: then nothing is recorded.
    let lookUp: LookUp?

    /// Performs a call, and records its member, its value or error, and its duration.
    ///
    /// - Parameters:
    ///   - member: The member with those arguments that are no secrets.
    ///   - words: What the caller asks for, as the end of the sentence "Ride asks Gate ...". It contains no arguments.
    func record<Value, Failure>(
        _ member: String, _ words: StaticString, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let call = begin(member, words)
        let result = Diary.$module.withValue(callee) {
            Diary.$scope.withValue(call.scope) { () -> Result<Value, Failure> in
                do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
            }
        }
        end(call, result)
        return try result.get()
    }

    /// Performs a call that awaits.
    nonisolated(nonsending) func record<Value, Failure>(
        _ member: String, _ words: StaticString, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let call = begin(member, words)
        let result = await Diary.$module.withValue(callee) {
            await Diary.$scope.withValue(call.scope) { () async -> Result<Value, Failure> in
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            }
        }
        end(call, result)
        return try result.get()
    }

    private struct Begun {
        let position: Diary.Position?
        /// The scope of what happens during the call.
        let scope: Diary.Scope?
        let time = ContinuousClock.now
    }

    private func begin(_ member: String, _ words: StaticString) -> Begun {
        let position = lookUp.flatMap { lookUp -> Diary.Position? in
            guard var call = lookUp.call else { return nil }
            (call.member, call.words) = (member, "\(words)")
            return diary.begin(call, after: lookUp.position)
        }
        let scope = position.map { Diary.Scope(group: $0.group, call: $0.index) } ?? Diary.scope
        return Begun(position: position, scope: scope)
    }

    private func end<Value, Failure>(_ call: Begun, _ result: Result<Value, Failure>) {
        guard let position = call.position else { return }
        let duration = ContinuousClock.now - call.time
        switch result {
        case .success(let value): diary.end(position, value: RecordedText.of(value), after: duration)
        case .failure(let error): diary.end(position, error: RecordedText.of(error: error), after: duration)
        }
    }
}

extension Diary {
    /// Records that a member is called. The first call after a look-up in the same tap completes the look-up's event, so that
    /// asking a module for something is one event.
    ///
    /// - Parameters:
    ///   - called: The look-up, with the member.
    ///   - position: The position of the look-up.
    fileprivate func begin(_ called: ModuleCall, after position: Position?) -> Position? {
        if let position, position.group == Self.scope?.group ?? groups.last?.number {
            var isFirst = false
            change(position) { call in
                isFirst = call.member == nil
                if isFirst { (call.member, call.words) = (called.member, called.words) }
            }
            if isFirst { return position }
        }
        return note(called)
    }
}
