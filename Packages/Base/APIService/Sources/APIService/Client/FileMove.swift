import Foundation

/// Moves files atomically: a reader of the target sees either the complete old file or the complete new file.
package enum FileMove {
    /// Moves a file to `target` on the same volume, replacing an existing file.
    package static func rename(_ file: URL, to target: URL) throws {
        let result = unsafe Foundation.rename(file.path, target.path)
        guard result == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Moves a file to `target` from any volume, replacing an existing file. Creates the target's folder if
    /// needed.
    package static func replace(_ target: URL, with file: URL) throws {
        let folder = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            return try rename(file, to: target)
        } catch {
            // Probably another volume: copy the file next to the target first.
            let beside = folder.appendingPathComponent(".\(UUID().uuidString).moving")
            defer { try? FileManager.default.removeItem(at: beside) }
            try FileManager.default.copyItem(at: file, to: beside)
            try rename(beside, to: target)
            try? FileManager.default.removeItem(at: file)
        }
    }
}
