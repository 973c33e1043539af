import Foundation

/// Documents as files in a folder that this process alone has.
///
/// A document is written beside its place, to `NAME.json.writing`, confirmed to be on disk, and renamed into its
/// place. A crash may leave the former; the next write begins it anew, as nobody else writes there.
final class FolderFiles: StorageFiles {
    private let folder: URL
    private let lock: FolderLock

    init(_ folder: URL) throws(StorageError) {
        self.folder = folder
        do throws(SystemFailure) {
            try DurableFile.makeFolder(folder)
        } catch {
            throw .noFolder(folder.path, "\(error)")
        }
        lock = try FolderLock(folder)
    }

    var home: URL? { folder }

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

    func write(_ data: Data, _ name: String) throws(StorageError) {
        let beside = file(name).appendingPathExtension("writing")
        do throws(SystemFailure) {
            do throws(SystemFailure) {
                try DurableFile.write(data, to: beside)
                try DurableFile.rename(beside, to: file(name))
            } catch {
                DurableFile.removeIfThere(beside)
                throw error
            }
            try DurableFile.sync(folder: folder)
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
