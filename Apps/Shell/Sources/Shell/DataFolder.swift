import Foundation
import Storage

/// Where the app keeps what outlives it.
enum DataFolder {
    /// `ModularApp` in the platform's folder for such data. (On Linux that is `$XDG_DATA_HOME`, or
    /// `~/.local/share`.)
    static var standard: URL {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (support ?? .homeDirectory).appending(path: "ModularApp")
    }

    /// Opens the storage of a folder.
    ///
    /// - Parameters:
    ///   - folder: Which; nil for ``standard``.
    ///   - startsClean: Whether files that cannot be read are set aside.
    /// - Throws: ``DataError``.
    static func open(_ folder: String?, startsClean: Bool) throws(DataError) -> Storage {
        let folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? standard
        do {
            return try Storage(folder: folder, unreadable: startsClean ? .setAside : .refuse)
        } catch {
            throw DataError(error)
        }
    }
}

/// A ``StorageError``, with the mend that the Shell's command line has for it.
struct DataError: Error, CustomStringConvertible {
    private let error: StorageError

    init(_ error: StorageError) {
        self.error = error
    }

    var description: String { [error.description, mend].compactMap(\.self).joined(separator: " ") }

    private var mend: String? {
        switch error.code {
        case .noFolder, .inUse: "In the Shell that is: --data DIR."
        case .unreadable, .torn, .foreign, .damaged, .newer, .noMigration, .unfit:
            "In the Shell that is: --start-clean."
        case .badName, .conflict, .notSetAside, .notWritten: nil
        }
    }
}
