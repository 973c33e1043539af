import Foundation

/// Moves files at one stroke: whoever opens the target gets the old file or the new one, whole.
enum FileMove {
    /// Moves a file over what stands at `target`, on the same volume.
    static func rename(_ file: URL, to target: URL) throws {
        let result = unsafe Foundation.rename(file.path, target.path)
        guard result == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Moves a file over what stands at `target`, from any volume; makes the folder.
    static func replace(_ target: URL, with file: URL) throws {
        let folder = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            return try rename(file, to: target)
        } catch {
            // Another volume: copied beside the target first.
            let beside = folder.appendingPathComponent(".\(UUID().uuidString).moving")
            defer { try? FileManager.default.removeItem(at: beside) }
            try FileManager.default.copyItem(at: file, to: beside)
            try rename(beside, to: target)
            try? FileManager.default.removeItem(at: file)
        }
    }
}
