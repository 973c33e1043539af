import Foundation
import Storage

/// The folder that holds the app's data.
enum DataFolder {
    /// `ModularApp` in the platform's folder for application data (on Linux `$XDG_DATA_HOME` or
    /// `~/.local/share`).
    static var standard: URL {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (support ?? .homeDirectory).appending(path: "ModularApp")
    }

    /// Opens the storage in a folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder; nil for ``standard``.
    ///   - startsClean: Whether to set unreadable files aside instead of reporting an error.
    /// - Throws: ``DataError`` when the folder cannot be created or is already in use.
    static func open(_ folder: String?, startsClean: Bool) throws(DataError) -> Storage {
        let folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? standard
        do {
            // Secrets are files on every platform: KeychainSecrets uses the data-protection Keychain, which macOS
            // denies to a command-line program without an app's entitlements.
            let secrets = FileSecrets(folder: folder.appending(path: "secrets", directoryHint: .isDirectory))
            return try Storage(
                folder: folder, unreadable: startsClean ? .setAside : .refuse, secrets: secrets)
        } catch {
            throw DataError(error)
        }
    }
}

/// A ``StorageError`` together with the Shell's command-line option that resolves it.
struct DataError: Error, CustomStringConvertible {
    private let error: StorageError

    init(_ error: StorageError) {
        self.error = error
    }

    var description: String { [error.description, remedy].compactMap(\.self).joined(separator: " ") }

    private var remedy: String? {
        switch error.code {
        case .noFolder, .inUse: "To choose another folder, start the Shell with --data DIR."
        case .unreadable, .torn, .foreign, .damaged, .newer, .noMigration, .unfit:
            "To start the Shell without this file, pass --start-clean."
        case .badName, .conflict, .notSetAside, .notWritten: nil
        }
    }
}
