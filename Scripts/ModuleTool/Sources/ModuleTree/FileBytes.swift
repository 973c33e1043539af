import Foundation

/// Reads and writes whole files.
enum FileBytes {
    /// The file's bytes, or nil when it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        // Most files fit into the first read. A read that returns less than it asked for has reached the end.
        var wanted = 1 << 14
        while true {
            var got = 0
            let part = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                got = unsafe Foundation.read(file, buffer.baseAddress, wanted)
                count = max(got, 0)
            }
            guard got >= 0 else { return nil }
            if bytes.isEmpty { bytes = part } else { bytes += part }
            if got < wanted { return bytes }
            wanted = 1 << 20
        }
    }

    /// Writes a file atomically, so that readers never see a partial file. Creates the folder if necessary.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url, options: .atomic)
    }
}
