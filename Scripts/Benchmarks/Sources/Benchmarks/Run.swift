import Foundation

/// The resources that a run of another program used, including the programs that it started and waited for.
struct Run {
    /// Nanoseconds of processor time, which other work on the machine hardly affects.
    private(set) var nanoseconds: Double

    /// Nanoseconds from the start of the program to its end.
    private(set) var clockNanoseconds: Double

    /// The peak resident memory, in megabytes.
    private(set) var megabytes: Double

    /// The names of the modules that a `swift build` or `swift test` compiled.
    private(set) var compiled: Set<String> = []

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a program and waits until it ends.
    ///
    /// - Parameters:
    ///   - arguments: The program's path, followed by its arguments.
    ///   - environment: Variables to add to this process's environment.
    ///   - allowing: The exit codes that count as success.
    ///   - output: The file for the program's output.
    /// - Throws: ``Failure`` when the program does not start, ends with another exit code, or is killed by a signal.
    init(
        _ arguments: [String], environment: [String: String] = [:], allowing: Set<Int32>,
        output: String = "/dev/null"
    ) throws {
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        var program = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var settings = unsafe variables.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (program + settings).forEach { unsafe free($0) } }

        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // Standard output is for the table of results. Errors and build progress go to standard error.
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        // `swift test` lists the compiled modules on standard error.
        if output != "/dev/null" { unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2) }

        let start = ContinuousClock.now
        var process: pid_t = 0
        let error = unsafe posix_spawn(&process, arguments[0], &actions, nil, &program, &settings)
        guard error == 0 else {
            throw Failure(
                description: "Cannot start \(arguments[0]): \(unsafe String(cString: strerror(error)))")
        }
        var (status, usage) = (Int32(0), rusage())
        while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        clockNanoseconds = start.duration(to: .now) / .nanoseconds(1)
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
        guard allowing.contains(code) else {
            throw Failure(description: "\(arguments.joined(separator: " ")) failed with status \(code)")
        }
        func nanoseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3 }
        self.nanoseconds = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
        #if canImport(Darwin)
        megabytes = Double(usage.ru_maxrss) / 1e6
        #else
        megabytes = Double(usage.ru_maxrss) / 1e3
        #endif
        let text = output == "/dev/null" ? "" : try String(contentsOfFile: output, encoding: .utf8)
        compiled = Set(text.matches(of: /\] (?:Compiling|Emitting module) (\w+)/).map { String($0.1) })
    }

    /// Two runs, one after the other.
    static func + (first: Run, second: Run) -> Run {
        var both = first
        both.nanoseconds += second.nanoseconds
        both.clockNanoseconds += second.clockNanoseconds
        both.megabytes = max(first.megabytes, second.megabytes)
        both.compiled.formUnion(second.compiled)
        return both
    }
}
