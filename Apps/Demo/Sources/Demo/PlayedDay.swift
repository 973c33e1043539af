/// A finished day, with the data folder and the server that it used.
struct PlayedDay: Encodable, Sendable {
    /// A step of the day, with the messages to the passenger and the calls between modules.
    struct Step: Encodable, Sendable {
        let title: String
        var outcomes: [Outcome] = []
        var calls: [ModuleCall] = []
    }

    struct Outcome: Encodable, Sendable {
        let text: String
        let isRefusal: Bool
    }

    /// The folder that holds the data; nil when the data was only in memory.
    let data: String?
    /// The address of the operator's server.
    let server: String
    /// The paths of unreadable data files that were set aside.
    let setAside: [String]
    private(set) var steps: [Step]

    /// Returns the day with only the calls by these modules, and without the messages to the passenger.
    func calls(by callers: [String]) -> PlayedDay {
        var day = self
        for index in steps.indices {
            day.steps[index].outcomes = []
            day.steps[index].calls.removeAll { !callers.contains($0.caller ?? "") }
            // The calls around them are left out.
            for call in day.steps[index].calls.indices { day.steps[index].calls[call].parent = nil }
        }
        return day
    }
}

extension Diary {
    /// The steps so far.
    var steps: [PlayedDay.Step] { groups.filter(\.isStep).map(PlayedDay.Step.init) }
}

extension PlayedDay.Step {
    fileprivate init(_ group: TapGroup) {
        self.init(title: group.title)
        // The indices of the calls among the calls alone, by their indices among all events.
        var indices: [Int: Int] = [:]
        for (index, event) in group.events.enumerated() {
            switch event {
            case .told(let text): outcomes.append(.init(text: text, isRefusal: false))
            case .refused(let text): outcomes.append(.init(text: text, isRefusal: true))
            case .call(var call):
                call.parent = call.parent.flatMap { indices[$0] }
                indices[index] = calls.count
                calls.append(call)
            }
        }
    }
}

extension DemoApp {
    /// Plays the sample day.
    ///
    /// - Parameter complain: Receives the reasons of failures, which the passenger does not read.
    func playDay(complain: @escaping @Sendable (String) -> Void) async -> PlayedDay {
        await DayPlayer(self, complain: complain).play(DayStep.day)
        return PlayedDay(
            data: storage.folder?.path, server: day.server.description,
            setAside: storage.setAside.map(\.file.path), steps: diary.steps)
    }
}
