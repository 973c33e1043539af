/// What a command is going to do.
package struct EditPlan: Sendable {
    /// The changes, in the order in which they are made. None when there is nothing to do.
    package let changes: [Change]
    /// What was done, or why nothing is.
    package let summary: String
    /// What the person does next; may be empty.
    package let next: [String]

    init(_ summary: String, changes: [Change] = [], next: [String] = []) {
        (self.summary, self.changes, self.next) = (summary, changes, next)
    }
}

/// A change to a tree of module pairs, as a command asks for it.
package protocol Edit {
    /// The command, to be told when it is interrupted: `bump Ride minor`.
    var command: String { get }

    /// Reads the tree and plans the change.
    ///
    /// - Throws: ``EditError`` when it cannot or must not be made.
    func plan(_ root: HouseRoot) throws -> EditPlan
}
