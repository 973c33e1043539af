import Foundation
import ModuleTree
import Synchronization

/// Where the records of passed test targets are kept, for one machine or for a team.
///
/// A store never stops a test run: a record that cannot be read is a miss, and a record that cannot be written is
/// lost. Both are reported once, as a warning.
package protocol ResultStore: Sendable {
    /// The record of a key; nil if the store has no record, or cannot read it.
    func record(of key: String) -> PassedTests?

    func save(_ record: PassedTests)
}

/// Passes on the first of many warnings: one line is enough to say that a store does not work.
package final class FirstWarning: Sendable {
    private let count = Mutex(0)
    private let show: @Sendable (String) -> Void

    package init(_ show: @escaping @Sendable (String) -> Void) { self.show = show }

    package var hasWarned: Bool { count.withLock { $0 > 0 } }

    package func warn(_ text: String) {
        let isFirst = count.withLock { count in
            count += 1
            return count == 1
        }
        if isFirst { show(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
}

/// A store in a folder, which several processes and machines may use at the same time.
package struct FolderStore: ResultStore {
    /// The folder that all trees of this user share by default.
    package static var usual: String {
        (FactCache.userFolder ?? FileManager.default.temporaryDirectory.path + "/moduletool") + "/tests"
    }

    private let folder: URL
    private let isReadOnly: Bool
    private let warning: FirstWarning

    /// - Parameter isReadOnly: Whether no record is written.
    package init(_ folder: String, isReadOnly: Bool = false, warning: FirstWarning) {
        self.folder = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "ac")
        (self.isReadOnly, self.warning) = (isReadOnly, warning)
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
        if isReadOnly { return }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try record.encoded.write(to: folder.appending(path: record.key), options: .atomic)
        } catch {
            warning.warn("the result of \(record.target) cannot be stored: \(error.localizedDescription)")
        }
        FactCache.sweep(folder)
    }
}
