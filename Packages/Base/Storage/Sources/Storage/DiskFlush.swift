import Foundation

/// The system's calls for flushing a file. Each returns 0 or the number of the error.
///
/// On Apple platforms `fsync` leaves the bytes in the drive's cache, and `F_FULLFSYNC` empties the whole cache,
/// which is slow. So an update orders its file with a barrier, and empties the cache once, at its end.
///
/// Source: Apple, `fcntl(2)`; "Reducing disk writes":
/// https://developer.apple.com/documentation/xcode/reducing-disk-writes
enum DiskFlush {
    #if canImport(Darwin)
    /// `F_BARRIERFSYNC` of `<sys/fcntl.h>`.
    private static let barrier: CInt = 85

    /// Bytes of the file reach the disk before anything that is written later.
    static func ordered(_ file: CInt) -> CInt { fcntl(file, barrier) == 0 ? 0 : durable(file) }

    /// The file, and everything flushed earlier, survives a power loss once this returns.
    static func durable(_ file: CInt) -> CInt {
        // Not every file system supports it.
        fcntl(file, F_FULLFSYNC) == 0 ? 0 : plain(file)
    }
    #else
    /// Bytes of the file reach the disk before anything that is written later.
    static func ordered(_ file: CInt) -> CInt { plain(file) }

    /// The file survives a power loss once this returns.
    static func durable(_ file: CInt) -> CInt { plain(file) }
    #endif

    private static func plain(_ file: CInt) -> CInt {
        while fsync(file) != 0 {
            guard errno == EINTR else { return errno }
        }
        return 0
    }
}
