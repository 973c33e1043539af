import Foundation

/// The system call `poll` for a socket and a pipe.
///
/// Source: POSIX.1-2024, `poll`.
enum LoopbackPoll {
    /// `struct pollfd` of `<poll.h>`.
    private struct Entry {
        var file: Int32
        /// `POLLIN`, which is 1 on Linux and on Apple platforms.
        var events: Int16 = 1
        var returned: Int16 = 0
    }

    /// Waits until a socket has a connection to accept, or until a pipe has a byte.
    ///
    /// - Returns: Whether the socket is ready (false after an interruption), or `nil` if the pipe has a byte.
    static func wait(for socket: Int32, unless pipe: FileHandle) -> Bool? {
        var entries = [Entry(file: socket), Entry(file: pipe.fileDescriptor)]
        // The pointer is valid for the entries during the call.
        let count = unsafe entries.withUnsafeMutableBufferPointer {
            unsafe poll(UnsafeMutableRawPointer($0.baseAddress), UInt($0.count), -1)
        }
        if entries[1].returned != 0 { return nil }
        return count > 0 && entries[0].returned != 0
    }
}

/// Declared by hand with C's layout, because the count and the constants have different types in the headers of Linux
/// and of Apple platforms. Either type of count fits in one register.
@_silgen_name("poll")
private func poll(_ entries: UnsafeMutableRawPointer?, _ count: UInt, _ timeout: Int32) -> Int32
