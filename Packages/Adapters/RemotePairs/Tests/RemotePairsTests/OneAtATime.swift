import Testing

/// Runs the tests of all suites with this trait one after the other. Many servers at once would be so slow on a busy
/// machine that calls would miss their deadlines.
struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
    private static let turns = Turns()
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        await Self.turns.begin()
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await Self.turns.end()
        try result.get()
    }

    private actor Turns {
        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func begin() async {
            guard isTaken else { return isTaken = true }
            await withCheckedContinuation { waiting.append($0) }
        }

        func end() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
    }
}

extension Trait where Self == OneAtATime {
    static var oneAtATime: OneAtATime { OneAtATime() }
}
