import Foundation
import ModuleTree
import Synchronization

/// Where the records of passed test targets are kept, for one machine or for a team.
///
/// A store never stops a test run: a record that cannot be read is a miss, and a record that cannot be written is
/// lost. Both are reported once, as a warning.
package protocol ResultStore: Sendable {
    /// The record of a key, which may be withdrawn; nil if the store has no record, or cannot read it.
    func record(of key: String) -> PassedTests?

    func save(_ record: PassedTests)
}

/// Passes on the first of many warnings: one line is enough to say that a store does not work.
package final class FirstWarning: Sendable {
    /// Nil after the first warning.
    private let show: Mutex<(@Sendable (String) -> Void)?>

    package init(_ show: @escaping @Sendable (String) -> Void) { self.show = Mutex(show) }

    var hasWarned: Bool { show.withLock { $0 == nil } }

    package func warn(_ text: String) {
        let show = show.withLock { $0.take() }
        show?(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}

/// A store in a folder, which several processes and machines may use at the same time.
package struct FolderStore: ResultStore {
    /// The folder that all trees of this user share by default.
    package static var usual: String {
        (FactCache.userFolder ?? FileManager.default.temporaryDirectory.path + "/moduletool") + "/tests"
    }

    private let folder: URL
    private let warning: FirstWarning

    package init(_ folder: String, warning: FirstWarning) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "ac")
        self.warning = warning
    }

    package func record(of key: String) -> PassedTests? {
        let file = folder.appending(path: key).path(percentEncoded: false)
        return FileManager.default.contents(atPath: file).flatMap { PassedTests($0, of: key) }
    }

    /// Writes the record atomically, and deletes records that are older than a month.
    package func save(_ record: PassedTests) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try record.encoded.write(to: folder.appending(path: record.key), options: .atomic)
        } catch {
            warning.warn("\(folder.path) stores no results: \(error.localizedDescription)")
        }
        FactCache.sweep(folder)
    }
}
