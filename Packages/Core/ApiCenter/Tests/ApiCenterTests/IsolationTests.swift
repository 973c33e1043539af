import ApiCenter
import Dispatch
import Testing

@Suite("IMPs on the main actor and on other actors")
struct IsolationTests {
    @MainActor protocol Screen: Sendable {
        var title: String { get }
    }

    @MainActor final class HomeScreen: Screen {
        var title = "home"
    }

    protocol Vault: Actor {
        func add(_ amount: Int) -> Int
    }

    actor Safe: Vault {
        private var sum = 0
        func add(_ amount: Int) -> Int {
            sum += amount
            return sum
        }
    }

    /// An executor whose actors run on the main queue, where the runtime accepts main-actor code.
    final class MainQueue: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.main.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    actor Window {
        private let executor = MainQueue()
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        func hasScreen(in center: ApiCenter) -> Bool { center.api(type: Screen.self) != nil }
    }

    let center = ApiCenter()

    @Test("An `onMain` builder builds its IMP on the main actor for callers on the main actor")
    @MainActor func mainActor() {
        center.registerApi(type: Screen.self, impBuilder: onMain { HomeScreen() })
        #expect(center.api(type: Screen.self)?.title == "home")
    }

    @Test("An `onMain` builder can be wrapped in `once` or `weakSingleton`, and can receive the center")
    @MainActor func combined() {
        center.registerApi(type: String.self) { "from the center" }
        center.registerApi(
            type: Screen.self,
            impBuilder: once(
                onMain { center in
                    let screen = HomeScreen()
                    screen.title = center.api(type: String.self) ?? ""
                    return screen
                }))
        #expect(center.api(type: Screen.self)?.title == "from the center")
        center.replaceApi(type: Screen.self, impBuilder: weakSingleton(onMain { HomeScreen() }))
        let holder = center.api(type: Screen.self)
        #expect(center.api(type: Screen.self) as? HomeScreen === holder as? HomeScreen)
    }

    @Test("Main-actor code may call an `onMain` Api on the main queue and inside another queue's `sync`")
    @MainActor func legally() async {
        center.registerApi(type: Screen.self, impBuilder: onMain { HomeScreen() })
        let center = center, queue = DispatchQueue(label: "another")
        let title: @Sendable () -> String? = {
            let screen = center.api(type: Screen.self)
            return MainActor.assumeIsolated { screen?.title }
        }
        await Task.yield()
        #expect(queue.sync(execute: title) == "home")
        #expect(DispatchQueue.global().sync(execute: title) == "home")
        // A caller outside any task.
        let fromQueues = await withCheckedContinuation { titles in
            DispatchQueue.main.async { titles.resume(returning: [title(), queue.sync(execute: title)]) }
        }
        #expect(fromQueues == ["home", "home"])
    }

    @Test("An actor that runs on the main queue may request an `onMain` Api")
    func onMainQueue() async {
        center.registerApi(type: Screen.self, impBuilder: onMain { HomeScreen() })
        #expect(await Window().hasScreen(in: center))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("Requesting an `onMain` Api off the main actor stops the process with a message")
    func elsewhere() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await Task.detached {
                let center = ApiCenter()
                center.registerApi(type: Screen.self, impBuilder: onMain { HomeScreen() })
                _ = center.api(type: Screen.self)
            }.value
        }
        // Apple platforms before version 26 cannot tell which actor a task runs on. On these platforms, the process
        // stops with the Swift runtime's message.
        guard #available(macOS 26, *) else { return }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Screen is built on the main actor and was requested elsewhere"))
    }
    #endif

    @Test("An actor can be an IMP")
    func actors() async {
        center.registerApi(type: Vault.self, impBuilder: once { Safe() })
        _ = await center.api(type: Vault.self)?.add(2)
        #expect(await center.api(type: Vault.self)?.add(3) == 5)
    }
}
