import Foundation

/// Reads and writes whole files.
enum FileBytes {
    /// The file's bytes, or nil when it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var size = 0
        var status = stat()
        if unsafe fstat(file, &status) == 0 { size = Int(status.st_size) }
        var bytes: [UInt8] = []
        // One byte more than the file holds, so that a file that has not grown ends in one more call.
        var wanted = size + 1
        while true {
            let before = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: wanted))
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Foundation.read(file, buffer.baseAddress.map { unsafe $0 + before }, wanted)
            }
            guard got >= 0 else { return nil }
            bytes.removeLast(wanted - got)
            if got == 0 { return bytes }
            wanted = max(4096, size + 1 - bytes.count)
        }
    }

    /// Writes the file beside its place and moves it there, so that no reader sees half of it.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url, options: .atomic)
    }
}
