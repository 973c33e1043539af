import Foundation

/// System calls for flushing a file. Each function returns 0, or the `errno` of the failure.
///
/// On Apple platforms `fsync` leaves the bytes in the drive's cache. `F_FULLFSYNC` empties the whole cache, which is
/// slow. So an update issues a write barrier after writing the file's bytes, and empties the cache only once, at the
/// end.
///
/// Source: Apple, `fcntl(2)`; "Reducing disk writes":
/// https://developer.apple.com/documentation/xcode/reducing-disk-writes
enum DiskFlush {
    #if canImport(Darwin)
    /// The value of `F_BARRIERFSYNC` in `<sys/fcntl.h>`.
    private static let barrier: CInt = 85

    /// Makes the file's bytes reach the disk before any later write.
    static func ordered(_ file: CInt) -> CInt { control(file, barrier, orElse: durable) }

    /// Flushes the file. When the call returns, the file and everything flushed earlier survive a power loss.
    static func durable(_ file: CInt) -> CInt { control(file, F_FULLFSYNC, orElse: plain) }

    /// Runs an `fcntl` command, or `substitute` if the file system does not support the command.
    private static func control(_ file: CInt, _ command: CInt, orElse substitute: (CInt) -> CInt) -> CInt {
        while fcntl(file, command) != 0 {
            if [ENOTSUP, EINVAL, ENOTTY].contains(errno) { return substitute(file) }
            guard errno == EINTR else { return errno }
        }
        return 0
    }
    #else
    /// Makes the file's bytes reach the disk before any later write.
    static func ordered(_ file: CInt) -> CInt { plain(file) }

    /// Flushes the file. When the call returns, the file survives a power loss.
    static func durable(_ file: CInt) -> CInt { plain(file) }
    #endif

    private static func plain(_ file: CInt) -> CInt { repeated { fsync(file) } }

    /// Repeats a call as long as a signal interrupts it.
    static func repeated(_ call: () -> CInt) -> CInt {
        while call() != 0 {
            guard errno == EINTR else { return errno }
        }
        return 0
    }
}
