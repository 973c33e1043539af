import Foundation

/// The changes of one command as they stand on disk while they are made: enough to go forward or back from
/// wherever the command was stopped.
struct Journal: Codable, Equatable {
    enum Entry: Codable, Equatable {
        /// `old` is nil for a file that did not exist.
        case write(path: String, old: Data?, new: Data, permissions: UInt16)
        /// `trash` is where the folder is moved to, relative to the tree's root.
        case removeFolder(path: String, trash: String)
        case removeFolderIfEmpty(path: String)

        var path: String {
            switch self {
            case .write(let path, _, _, _), .removeFolder(let path, _), .removeFolderIfEmpty(let path): path
            }
        }
    }

    static let currentFormat = 1

    let format: Int
    /// What was being done, for people: `new-module Wallet`.
    let command: String
    let entries: [Entry]
    /// The folders that did not exist before, outermost first.
    let newFolders: [String]

    init(command: String, entries: [Entry], newFolders: [String]) {
        (format, self.command) = (Self.currentFormat, command)
        (self.entries, self.newFolders) = (entries, newFolders)
    }

    var data: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }

    /// - Throws: ``EditError`` when the data is no journal of this format, or names a path outside the tree.
    init(_ data: Data) throws(EditError) {
        guard let journal = try? JSONDecoder().decode(Journal.self, from: data),
            journal.format == Self.currentFormat,
            (journal.entries.map(\.path) + journal.newFolders).allSatisfy(Self.isInside)
        else {
            throw EditError(
                .usage, at: TransactionFiles.journal,
                "the journal of an interrupted command cannot be read.",
                why: "It was damaged, or another version of this tool wrote it.",
                mend: """
                    Look at what 'git status' shows, restore what should not have changed, and delete \
                    \(TransactionFiles.journal).
                    """)
        }
        self = journal
    }

    private static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !["", ".", ".."].contains($0) }
    }
}
