/// The record of a finished day, with the data folder and the server that it used.
struct PlayedDay: Sendable {
    /// The folder that holds the data; nil when the data was only in memory.
    let data: String?
    /// The address of the operator's server, as shown in reports.
    let server: String
    /// The paths of unreadable data files that were set aside.
    let setAside: [String]
    private(set) var steps: [Diary.Step]

    /// Returns the day with only the calls by these modules, and without the messages to the passenger.
    func calls(by callers: [String]) -> PlayedDay {
        var day = self
        for index in steps.indices {
            day.steps[index].entries.removeAll { entry in
                guard case .call(let call) = entry, let caller = call.caller else { return true }
                return !callers.contains(caller)
            }
        }
        return day
    }
}

extension DemoApp {
    func playDay() async -> PlayedDay {
        await Day(self).play()
        return PlayedDay(
            data: storage.folder?.path, server: day.server.description,
            setAside: storage.setAside.map(\.file.path), steps: diary.steps)
    }
}
