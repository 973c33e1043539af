extension Diary {
    /// A step of the day, with its messages and calls.
    struct Step: Sendable {
        let title: String
        var entries: [Entry] = []

        var calls: [Call] {
            entries.compactMap { if case .call(let call) = $0 { call } else { nil } }
        }

        /// The error with which a call of a route or an action ended; nil for a success. Errors of Api methods are not
        /// recorded.
        func error(of call: Call) -> String? {
            for case .failed(call, let error) in entries { return error }
            return nil
        }
    }

    /// The steps so far. Entries before the first step are left out.
    var steps: [Step] {
        entries.reduce(into: []) { steps, entry in
            if case .step(let title) = entry {
                steps.append(Step(title: title))
            } else if !steps.isEmpty {
                steps[steps.count - 1].entries.append(entry)
            }
        }
    }

    /// Runs a step of the day, and records its messages and calls.
    func step(_ title: String, _ body: () async -> Void) async {
        note(.step(title))
        await body()
    }
}
