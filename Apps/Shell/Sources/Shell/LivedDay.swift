/// A day that is over, and what it stood on.
struct LivedDay: Sendable {
    /// The folder with the data; nil when nothing was kept.
    let data: String?
    /// Who answered the requests.
    let server: String
    /// Where data files lie that could not be read.
    let setAside: [String]
    let steps: [Diary.Step]
}

extension App {
    func liveDay() async -> LivedDay {
        await Day(self).live()
        return LivedDay(
            data: infrastructure.storage.folder?.path, server: infrastructure.server.description,
            setAside: infrastructure.storage.setAside.map(\.file.path), steps: diary.steps)
    }
}
