import ModuleBytes
import ModuleKit
import SwiftSyntax

/// Finds the events that a task sends to a host or an app, as in `Task { await app.send(.active) }`.
///
/// A task is a call of `Task`, of SwiftUI's modifier `task`, or of a group's `addTask`, and an `async let`. All of
/// them begin at an unspecified time.
package enum TaskEvents {
    /// The positions of the calls of `send` and `post` in the tasks of a file.
    ///
    /// The calls in a `for await` are in order, because one task makes them one after the other. Another call counts if its
    /// only argument has no label and is an event by its name (`.active`, `event`), or if it is made on a value whose name
    /// ends in "app" or "host".
    ///
    /// - Parameter cached: Returns the result for these bytes from a cache, or from the function that it is given.
    package static func positions(
        in bytes: [UInt8], path: String, _ cached: (() throws -> [Position]) throws -> [Position]
    ) throws -> [Position] {
        // Parsing takes most of the time, and few files contain these words.
        guard ["Task", "task", "async"].contains(where: { bytes.place(of: $0) != nil }),
            bytes.place(of: "send") != nil || bytes.place(of: "post") != nil
        else { return [] }
        return try cached {
            let lines = LineTable(bytes)
            return try SourceParser.read(bytes, in: path) { file in
                let visitor = TaskEventVisitor(viewMode: .sourceAccurate)
                visitor.walk(file)
                return visitor.calls.map(lines.position)
            }
        }
    }
}

private final class TaskEventVisitor: SyntaxVisitor {
    private(set) var calls: [MemberAccessExprSyntax] = []
    /// The number of tasks around the current node, inside the innermost `for await`.
    private var depth = 0
    private var outerDepths: [Int] = []

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.startsTask { depth += 1 }
        if depth > 0, let called = node.calledExpression.as(MemberAccessExprSyntax.self),
            let base = called.base,
            ["send", "post"].contains(called.declName.baseName.text),
            let argument = node.arguments.first, node.arguments.count == 1, argument.label == nil,
            argument.expression.isEvent || base.isHost
        {
            calls.append(called)
        }
        return .visitChildren
    }

    override func visitPost(_ node: FunctionCallExprSyntax) {
        if node.startsTask { depth -= 1 }
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.isAsync { depth += 1 }
        return .visitChildren
    }

    override func visitPost(_ node: VariableDeclSyntax) {
        if node.isAsync { depth -= 1 }
    }

    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
        outerDepths.append(depth)
        if node.awaitKeyword != nil { depth = 0 }
        return .visitChildren
    }

    override func visitPost(_ node: ForStmtSyntax) { depth = outerDepths.removeLast() }
}

extension FunctionCallExprSyntax {
    /// Whether the call creates a task: `Task { }`, `Task(priority: .high) { }`, `Task.detached { }`.
    var isTask: Bool {
        let base = calledExpression.as(MemberAccessExprSyntax.self)?.base ?? calledExpression
        return base.lastName == "Task"
    }

    /// Whether the call creates a task, or lets SwiftUI or a group do so: `view.task(id: phase) { }`, `group.addTask { }`.
    fileprivate var startsTask: Bool {
        isTask || ["task", "addTask", "addTaskUnlessCancelled"].contains(calledExpression.lastName)
    }
}

extension VariableDeclSyntax {
    /// Whether the declaration is an `async let`.
    fileprivate var isAsync: Bool { modifiers.contains { $0.name.text == "async" } }
}

extension ExprSyntax {
    /// Whether the expression is an event by its name: `.active`, `LifecycleEvent.active`, `.openURL(url)`, `event`.
    fileprivate var isEvent: Bool {
        if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.isEvent }
        return Self.events.contains(lastName)
    }

    private static let events: Set = [
        "launch", "active", "background", "openURL", "memoryWarning", "terminate", "custom", "event",
        "LifecycleEvent",
    ]

    /// Whether the expression is an app or a host by its name: `app`, `self.host`, `metroApp?`.
    fileprivate var isHost: Bool {
        let base = self.as(OptionalChainingExprSyntax.self)?.expression ?? self
        let name = base.lastName.lowercased()
        return name.hasSuffix("app") || name.hasSuffix("host")
    }
}
