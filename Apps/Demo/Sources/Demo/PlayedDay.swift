/// A finished day, with the data folder and the server that it used.
struct PlayedDay: Encodable, Sendable {
    /// A step of the day, with the messages to the passenger and the calls between modules.
    struct Step: Encodable, Sendable {
        let title: String
        var outcomes: [Outcome] = []
        var calls: [Diary.Call] = []
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
        }
        return day
    }
}

extension Diary {
    /// The steps so far. Entries before the first step are left out.
    var steps: [PlayedDay.Step] {
        var steps: [PlayedDay.Step] = []
        for entry in entries {
            let last = steps.indices.last
            switch entry {
            case .step(let title): steps.append(PlayedDay.Step(title: title))
            case .told(let text): last.map { steps[$0].outcomes.append(.init(text: text, isRefusal: false)) }
            case .refused(let text):
                last.map { steps[$0].outcomes.append(.init(text: text, isRefusal: true)) }
            case .call(let call): last.map { steps[$0].calls.append(call) }
            case .failed(let call, let error):
                guard let last, let index = steps[last].calls.lastIndex(of: call) else { continue }
                steps[last].calls[index].error = error
            case .visit: break
            }
        }
        return steps
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
