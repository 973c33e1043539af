import Foundation

/// The changes of one command, stored on disk while they are made. The journal is enough to complete or undo
/// the command, wherever it was interrupted.
struct Journal: Codable, Equatable {
    enum Entry: Codable, Equatable {
        /// Creates or replaces a file. `old` is nil if the file did not exist.
        case write(path: String, old: Data?, new: Data, permissions: UInt16)
        /// Moves a folder to `trash`, a path relative to the tree's root.
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
    /// The command, for messages: `new-module Wallet`.
    let command: String
    let entries: [Entry]
    /// The folders that the command creates, outermost first.
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

    /// - Throws: ``EditError`` when the data is not a valid journal or has a path outside the tree.
    init(_ data: Data) throws(EditError) {
        guard let journal = try? JSONDecoder().decode(Journal.self, from: data),
            journal.format == Self.currentFormat,
            (journal.entries.map(\.path) + journal.newFolders).allSatisfy(Self.isInside)
        else {
            throw EditError(
                .usage, at: TransactionFiles.journal,
                "the journal of an interrupted command cannot be read.",
                why: "It is damaged, or another version of this tool wrote it.",
                fix: """
                    Look at the changes in 'git status', revert those that you do not want, and delete \
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
