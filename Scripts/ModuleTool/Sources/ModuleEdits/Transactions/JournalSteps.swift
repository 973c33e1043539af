import Foundation

/// Applies or reverts a journal. Both operations can be interrupted at any point and started again.
extension TransactionFiles {
    /// Whether an entry has been applied.
    enum State: Equatable {
        case notDone, done
        /// Neither the old nor the new state: somebody else changed the file.
        case foreign
    }

    /// Creates the journal of changes that have not been made yet.
    func journal(of changes: [Change], command: String) throws -> Journal {
        var newFolders: [String] = []
        let entries = try changes.enumerated().map { index, change -> Journal.Entry in
            switch change {
            case .write(let path, let contents):
                newFolders += missingFolders(above: path).filter { !newFolders.contains($0) }
                return .write(
                    path: path, old: try self.contents(path), new: Data(contents.utf8),
                    permissions: permissions(path))
            case .removeFolder(let path):
                return .removeFolder(path: path, trash: "\(Self.trash)/\(index)")
            case .removeFolderIfEmpty(let path): return .removeFolderIfEmpty(path: path)
            }
        }
        return Journal(command: command, entries: entries, newFolders: newFolders)
    }

    /// The folders above a path that do not exist, outermost first.
    private func missingFolders(above path: String) -> [String] {
        var missing: [String] = []
        var folder = parent(of: path)
        while !folder.isEmpty, !exists(folder) {
            missing.append(folder)
            folder = parent(of: folder)
        }
        return missing.reversed()
    }

    func state(of entry: Journal.Entry) throws -> State {
        switch entry {
        case .write(let path, let old, let new, _):
            let current = try contents(path)
            return current == new ? .done : current == old ? .notDone : .foreign
        case .removeFolder(let path, let trash):
            return exists(path) ? (exists(trash) ? .foreign : .notDone) : .done
        case .removeFolderIfEmpty(let path): return exists(path) ? .notDone : .done
        }
    }

    func goForward(_ journal: Journal) throws {
        for entry in journal.entries {
            switch (entry, try state(of: entry)) {
            // An interrupted undo may have left its temporary file.
            case (.write(let path, _, _, _), .done): try remove(Self.temporary(for: path))
            case (_, .done): break
            case (_, .foreign): throw ChangedMeanwhile(path: entry.path)
            case (.write(let path, _, let new, let permissions), .notDone):
                try write(new, to: path, permissions: permissions)
            case (.removeFolder(let path, let trash), .notDone):
                try makeFolder(Self.trash)
                try move(path, to: trash)
            case (.removeFolderIfEmpty(let path), .notDone): try removeFolderIfEmpty(path)
            }
        }
        try sync(folders: touchedFolders(journal))
    }

    func goBack(_ journal: Journal) throws {
        for entry in journal.entries.reversed() {
            switch (entry, try state(of: entry)) {
            case (.write(let path, let old, _, let permissions), .done):
                if let old {
                    try write(old, to: path, permissions: permissions)
                } else {
                    try remove(path)
                }
            case (.write(let path, _, _, _), _): try remove(Self.temporary(for: path))
            case (.removeFolder(let path, let trash), .done):
                try makeFolder(parent(of: path))
                if exists(trash) { try move(trash, to: path) }
            case (.removeFolderIfEmpty(let path), .done): try makeFolder(path)
            case (.removeFolder, _), (.removeFolderIfEmpty, _): break
            }
        }
        for folder in journal.newFolders.reversed() { try removeFolderIfEmpty(folder) }
        try sync(folders: touchedFolders(journal))
    }

    /// Removes the files that only an active journal needs.
    func sweep() throws {
        try remove(Self.newJournal)
        try remove(Self.trash)
    }

    private func touchedFolders(_ journal: Journal) -> Set<String> {
        var folders = Set(journal.entries.map { parent(of: $0.path) } + journal.newFolders.map(parent(of:)))
        if journal.entries.contains(where: { if case .removeFolder = $0 { true } else { false } }) {
            folders.insert(Self.trash)
        }
        return folders
    }
}

/// The error for a file that somebody changed after its edit was planned.
struct ChangedMeanwhile: Error, LocalizedError {
    let path: String

    var errorDescription: String? { "somebody else changed \(path) at the same time" }
}
