import SwiftSyntax

/// The nodes around the visited code that decide whether it is executed, outermost first.
struct ExecutionFrames {
    /// A node with code that is executed together, or not at all.
    struct Frame {
        let node: SyntaxIdentifier
        /// What decides at run time whether the code is executed, such as `if at 12:9`; nil if its body always does.
        var branch: String?
        /// The `try` that may skip the code, if the body continues after its error.
        var attempt: String?
        /// The block of the `do` whose `catch` lets the body continue after an error in the code.
        var catcher: SyntaxIdentifier?
        /// The functions that got the closures around the code, outer ones first.
        var closures: [SourceFacts.Closure] = []
        /// Whether an earlier statement of the same list, or an operator, may end the execution.
        var isCut = false
        /// The number of statements so far that may leave the body around this node, if the node is a body of its own.
        var exits: Int?
        /// The declaration whose code is executed together; nil for a part of a body.
        var declaration: Syntax?
        /// The index of the body in the facts. A body is added if it contains a call or a use.
        var body: Int?
    }

    private var frames: [Frame] = []
    /// The indices of the frames of bodies.
    private var bodies: [Int] = []
    /// The number of statements of the current body that may leave it.
    var exits = 0

    /// The innermost node. The outermost one is the file.
    var last: Frame {
        get { frames[frames.count - 1] }
        set { frames[frames.count - 1] = newValue }
    }

    /// The innermost body.
    var body: Frame {
        get { frames[bodies[bodies.count - 1]] }
        set { frames[bodies[bodies.count - 1]] = newValue }
    }

    mutating func enter(_ node: some SyntaxProtocol, branch: String?) {
        frames.append(
            Frame(
                node: node.id, branch: branch, attempt: last.attempt, catcher: last.catcher,
                closures: last.closures))
    }

    mutating func enterBody(_ node: some SyntaxProtocol, of declaration: Syntax) {
        bodies.append(frames.count)
        frames.append(Frame(node: node.id, exits: exits, declaration: declaration))
        exits = 0
    }

    mutating func leave(_ node: some SyntaxProtocol) {
        guard let frame = frames.last, frame.node == node.id else { return }
        frames.removeLast()
        if frame.declaration != nil { bodies.removeLast() }
        if let before = frame.exits { exits = before }
    }

    /// Marks the code from here to the end of a node, and of all nodes inside it, as skipped after an error of a `try`.
    mutating func skip(to end: SyntaxIdentifier?, after attempt: String) {
        for index in frames.indices.reversed() {
            frames[index].attempt = attempt
            if frames[index].node == end { break }
        }
    }
}
