import Demo
import Foundation

/// The command `app`: shows the app in a browser until it is interrupted.
enum Browser {
    /// Starts the server, prints its address, opens a browser, and returns after Ctrl-C.
    ///
    /// - Parameters:
    ///   - opens: Whether to open a browser.
    ///   - launch: Launches the app again without some modules.
    /// - Throws: ``PortError`` if the port is taken.
    static func show(
        _ demo: DemoApp, port: Int, opens: Bool, complain: @escaping @Sendable (String) -> Void,
        launch: @escaping DemoApp.Relaunch
    ) async throws {
        let server: PageServer
        do {
            server = try await demo.browse(port: port, launch: launch, complain: complain)
        } catch let error as POSIXError {
            throw PortError(port: port, reason: error.localizedDescription)
        }
        // The handlers are installed before the address is printed, so that its reader may press Ctrl-C at once.
        let interruption = await Interruption()
        print("The app is at \(server.address.absoluteString). Press Ctrl-C to stop it.")
        // The address is of use at once, even to a program that reads it from a pipe.
        fflush(nil)
        if opens { open(server.address) }
        await interruption.wait()
        server.stop()
    }

    /// A port on which the server cannot listen.
    struct PortError: Error, CustomStringConvertible {
        let port: Int
        let reason: String

        var description: String {
            "cannot listen on port \(port) of this machine: \(reason). Another program may use it. Try another port, "
                + "or none: swift run Shell app"
        }
    }

    /// Opens an address in the user's browser. A machine without one needs only the printed address.
    private static func open(_ address: URL) {
        let process = Process()
        #if os(macOS)
        let command = "open"
        #else
        let command = "xdg-open"
        #endif
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command, address.absoluteString]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try? process.run()
    }

    /// Ctrl-C or a request to end the process.
    private struct Interruption {
        private let signals: AsyncStream<Void>
        private let sources: [any DispatchSourceSignal]

        /// Returns when the signals no longer end the process by themselves. A signal that arrived earlier would be lost.
        init() async {
            let (signals, continuation) = AsyncStream<Void>.makeStream()
            self.signals = signals
            // Before the sources exist: on Linux, Dispatch installs handlers of its own for them.
            for number in [SIGINT, SIGTERM] { signal(number, SIG_IGN) }
            sources = [SIGINT, SIGTERM].map { DispatchSource.makeSignalSource(signal: $0) }
            for source in sources {
                source.setEventHandler { continuation.yield() }
                await withCheckedContinuation { registered in
                    source.setRegistrationHandler { registered.resume() }
                    source.resume()
                }
            }
        }

        func wait() async {
            for await _ in signals { break }
            sources.forEach { $0.cancel() }
        }
    }
}
