/// The planned changes of a command, and the messages for its user.
package struct EditPlan: Sendable {
    /// The changes, in the order the command makes them; empty when no change is needed.
    package let changes: [Change]
    /// The change that the command made, or the reason why no change was needed.
    package let summary: String
    /// The user's next steps; may be empty.
    package let next: [String]

    package init(_ summary: String, changes: [Change] = [], next: [String] = []) {
        (self.summary, self.changes, self.next) = (summary, changes, next)
    }
}

/// A command that changes a tree of module pairs.
package protocol Edit {
    /// The command as shown in messages about an interrupted run, such as `bump Ride minor`.
    var command: String { get }

    /// Refuses a tree that the command cannot edit, before anything is written to it.
    func validate(_ root: TreeRoot) throws

    /// Reads the tree and plans the changes, without making them.
    func plan(_ root: TreeRoot) throws -> EditPlan
}

extension Edit {
    package func validate(_ root: TreeRoot) throws { try root.validate() }
}

extension Change {
    /// The changes that write these files, given by path, in the order of their paths.
    package static func writing(_ files: [String: String]) -> [Change] {
        files.sorted { $0.key < $1.key }.map { .write(path: $0.key, contents: $0.value) }
    }
}
