import Foundation
import ModuleTree

/// Where the records of passed test targets are kept, for one machine or for a team.
///
/// A store never stops a test run: a record that cannot be read is a miss, and a record that cannot be written is
/// lost. Both are reported once, as a warning.
package protocol ResultStore: Sendable {
    /// The record of a key; nil if there is none, or if it cannot be read.
    func record(of key: String) -> PassedTests?

    func save(_ record: PassedTests)
}

/// A store in a folder, which several processes and machines may use at the same time.
package struct FolderStore: ResultStore {
    /// The folder that all trees of this user share by default.
    package static var usual: String {
        (FactCache.userFolder ?? FileManager.default.temporaryDirectory.path + "/moduletool") + "/tests"
    }

    private let folder: URL
    private let warn: @Sendable (String) -> Void

    /// - Parameter warn: Prints a warning.
    package init(_ folder: String, warn: @escaping @Sendable (String) -> Void) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "ac")
        self.warn = warn
    }

    package func record(of key: String) -> PassedTests? {
        let file = folder.appending(path: key)
        guard let data = FileManager.default.contents(atPath: file.path(percentEncoded: false)) else {
            return nil
        }
        return PassedTests(data, of: key)
    }

    /// Writes the record atomically, and deletes records that are older than a month.
    package func save(_ record: PassedTests) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try record.encoded.write(to: folder.appending(path: record.key), options: .atomic)
        } catch {
            warn("the result of \(record.target) cannot be stored: \(error.localizedDescription)")
        }
        FactCache.sweep(folder)
    }
}
