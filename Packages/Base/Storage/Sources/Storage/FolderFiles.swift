import Foundation

/// Stores documents as files in a folder that only one process at a time can use.
///
/// A document is written to `NAME.json.writing`, flushed to disk, and renamed to `NAME.json`. A crash may
/// leave `NAME.json.writing` behind. The next write overwrites the leftover file, which is safe because no
/// other process writes to the folder while this process holds the folder's lock.
final class FolderFiles: StorageFiles {
    private let folder: URL
    private let folderLock: SuspendableLock

    init(_ folder: URL) throws(StorageError) {
        self.folder = folder
        do throws(SystemFailure) {
            try DurableFile.makeFolder(folder)
        } catch {
            throw .noFolder(folder.path, "\(error)")
        }
        folderLock = try SuspendableLock(folder)
    }

    var home: URL? { folder }
    var lock: SuspendableLock? { folderLock }

    func path(_ name: String) -> String { file(name).path }

    func read(_ name: String) throws(StorageError) -> Data? {
        do {
            return try Data(contentsOf: file(name))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            throw .unreadable(path(name), "\(error.localizedDescription)")
        }
    }

    func write(_ data: Data, _ name: String, protection: FileProtectionType?) throws(StorageError) {
        do throws(SystemFailure) {
            try DurableFile.replace(file(name), with: data, protection: protection)
        } catch {
            throw .notWritten(path(name), "\(error)")
        }
    }

    func setAside(_ name: String) throws(StorageError) -> URL {
        var number = 1
        var target: URL { file(name).appendingPathExtension("unreadable-\(number)") }
        while DurableFile.isThere(target) { number += 1 }
        do throws(SystemFailure) {
            try DurableFile.rename(file(name), to: target)
            try DurableFile.sync(folder: folder)
        } catch {
            throw .notSetAside(path(name), "\(error)")
        }
        return target
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent("\(name).json") }
}
