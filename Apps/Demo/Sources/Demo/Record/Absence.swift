/// A module that is not in the app, with those that have called it in vain.
struct Absence: Sendable, Hashable {
    let module: String
    /// The callers, in the order of their first calls, with the numbers of their calls.
    private(set) var callers: [Caller] = []

    struct Caller: Sendable, Hashable {
        let name: String
        var count = 1
    }

    fileprivate mutating func add(_ caller: String) {
        if let index = callers.firstIndex(where: { $0.name == caller }) {
            callers[index].count += 1
        } else {
            callers.append(Caller(name: caller))
        }
    }
}

extension [ModuleCall] {
    /// The modules that are called in vain, in the order of the first calls.
    var absences: [Absence] {
        reduce(into: []) { absences, call in
            guard call.isAbsent, call.callee != ModuleCall.nobody, let caller = call.caller else { return }
            let index = absences.firstIndex { $0.module == call.callee } ?? absences.endIndex
            if index == absences.endIndex { absences.append(Absence(module: call.callee)) }
            absences[index].add(caller)
        }
    }
}
