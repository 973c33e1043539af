import Foundation

/// A run of another program: what it took, with the programs that it ran itself.
struct Run {
    /// Nanoseconds of processor time. On a machine that others use too, time on the clock says little; on a
    /// free one this is at least as much.
    let nanoseconds: Double

    /// The most memory that it held at once.
    let megabytes: Double

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program, and what it is given.
    ///   - environment: Added to ours.
    ///   - allowing: The exit codes that are no failure.
    /// - Throws: ``Failure`` when it does not start or ends otherwise.
    init(
        _ arguments: [String], environment: [String: String] = [:], allowing: Set<Int32>
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
        // Standard output is our table's; errors, and the progress of a build, still show.
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)

        var process: pid_t = 0
        let error = unsafe posix_spawn(&process, arguments[0], &actions, nil, &program, &settings)
        guard error == 0 else {
            throw Failure(
                description: "\(arguments[0]) does not start: \(unsafe String(cString: strerror(error)))")
        }
        var (status, usage) = (Int32(0), rusage())
        while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
        guard allowing.contains(code) else {
            throw Failure(description: "\(arguments.joined(separator: " ")) ends with \(code)")
        }
        func nanoseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3 }
        self.nanoseconds = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
        #if canImport(Darwin)
        megabytes = Double(usage.ru_maxrss) / 1e6
        #else
        megabytes = Double(usage.ru_maxrss) / 1e3
        #endif
    }
}
