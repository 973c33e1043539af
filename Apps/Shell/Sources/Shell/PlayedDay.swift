/// A day that is over, and what it stood on.
struct PlayedDay: Sendable {
    /// The folder with the data; nil when nothing was kept.
    let data: String?
    /// Who answered the requests.
    let server: String
    /// Where data files lie that could not be read.
    let setAside: [String]
    private(set) var steps: [Diary.Step]

    /// The day with the calls of these modules alone, and without what the passenger was told.
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

extension App {
    func playDay() async -> PlayedDay {
        await Day(self).play()
        return PlayedDay(
            data: infrastructure.storage.folder?.path, server: infrastructure.server.description,
            setAside: infrastructure.storage.setAside.map(\.file.path), steps: diary.steps)
    }
}
