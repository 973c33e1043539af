import Foundation
import Synchronization

/// What the tool does when Ctrl-C (SIGINT) or SIGTERM asks it to end: it says so in one sentence, and exits with the code
/// by which a shell reports the signal, such as 130.
package enum Interruption {
    /// The error that ends work which an interruption must not cut off in the middle.
    package struct Requested: Error, Equatable {
        /// What the interruption means for the work, as the end of a sentence.
        package let effect: String

        package var message: String { "modules: interrupted; \(effect)." }
        package var exitCode: Int32 { Interruption.exitCode }
    }

    // Signal handlers capture nothing, but may read and write atomic values.
    private static let requested = Atomic<Int32>(0)
    private static let holds = Atomic<Int>(0)
    private static let program = Atomic<pid_t>(0)
    private static let isPlanning = Atomic<Bool>(false)

    /// Whether an interruption was requested, and work in ``held(_:)`` or a shown program has kept the tool from ending.
    package static var isRequested: Bool { requested.load(ordering: .sequentiallyConsistent) != 0 }

    private static var exitCode: Int32 { 128 + requested.load(ordering: .sequentiallyConsistent) }

    /// Makes the signals end the tool in this way. Call it once, when the tool starts.
    package static func install() {
        // A signal handler must not be the first to use these values.
        requested.store(0, ordering: .sequentiallyConsistent)
        holds.store(0, ordering: .sequentiallyConsistent)
        program.store(0, ordering: .sequentiallyConsistent)
        isPlanning.store(false, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM] { signal(number) { Interruption.receive($0) } }
    }

    /// Ends the tool, unless a program is shown, which gets the signal and whose end the tool awaits, or work is held. A
    /// second Ctrl-C ends a program that has ignored the first one.
    private static func receive(_ number: Int32) {
        let last = requested.exchange(number, ordering: .sequentiallyConsistent)
        // `timeout` sends SIGTERM twice, so only a second Ctrl-C kills the program.
        let isRepeated = last == SIGINT && number == SIGINT
        if passOn(isRepeated ? SIGKILL : number) || holds.load(ordering: .sequentiallyConsistent) > 0 {
            return
        }
        let text: StaticString =
            isPlanning.load(ordering: .sequentiallyConsistent)
            ? "modules: interrupted; nothing was changed.\n" : "modules: interrupted.\n"
        _ = unsafe write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
        _exit(exitCode)
    }

    /// Passes a signal on to the shown program, which is in a process group of its own.
    @discardableResult
    private static func passOn(_ number: Int32) -> Bool {
        let process = program.load(ordering: .sequentiallyConsistent)
        if process > 0, number > 0 { kill(-process, number) }
        return process > 0
    }

    /// Passes later signals on to a program; nil after the program has ended.
    package static func show(_ process: pid_t?) {
        program.store(process ?? 0, ordering: .sequentiallyConsistent)
        // The signal may have come before the program had started.
        passOn(requested.load(ordering: .sequentiallyConsistent))
    }

    /// Runs work that a signal must not cut off. The work may ``check(_:)`` where it can stop.
    package static func held<Result, Failure: Error>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        holds.add(1, ordering: .sequentiallyConsistent)
        defer { holds.subtract(1, ordering: .sequentiallyConsistent) }
        return try work()
    }

    /// Whether the tool has changed nothing yet, and an interruption says so.
    package static func setPlanning(_ isPlanning: Bool) {
        self.isPlanning.store(isPlanning, ordering: .sequentiallyConsistent)
    }

    /// Stops the work if an interruption was requested.
    ///
    /// - Parameter effect: What the interruption means for the work, as the end of a sentence.
    package static func check(_ effect: String) throws(Requested) {
        if isRequested { throw Requested(effect: effect) }
    }
}
