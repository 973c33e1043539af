import SwiftSyntax

/// What a function does with code that a call passes to it: a closure, or the name of a function.
enum Passing {
    case executed
    /// The code is executed later, once for each element of a collection that may be empty, or never.
    case uncertain(String)
    /// Only the function's body tells. The label is empty for a trailing closure.
    case unknown(function: String, label: String)

    /// - Parameter code: The closure or the name.
    /// - Returns: nil if no call passes the code to a function.
    init?(_ code: Syntax) {
        let argument = code.parent?.as(LabeledExprSyntax.self)
        let trailing = code.parent?.as(MultipleTrailingClosureElementSyntax.self)
        let around = argument == nil && trailing == nil ? code.parent : code.parent?.parent?.parent
        guard let call = around?.as(FunctionCallExprSyntax.self) else { return nil }
        let name = call.calledExpression.lastName
        let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
        if call.registryUse != nil {
            self = .uncertain("builder")
        } else if call.isTask || Self.later.contains(name) {
            self = .uncertain("Task")
        } else if base?.is(OptionalChainingExprSyntax.self) == true {
            self = .uncertain("?")
        } else if Self.loops.contains(name) {
            let isEmpty = base?.as(ArrayExprSyntax.self)?.elements.isEmpty ?? true
            self = isEmpty ? .uncertain("for") : .executed
        } else if Self.once.contains(name) || name.hasPrefix("withUnsafe") {
            self = .executed
        } else {
            let label = argument.map { $0.label?.text.unquoted ?? "_" } ?? trailing?.label.text.unquoted
            self = .unknown(function: name, label: label ?? "")
        }
    }

    private static let later: Set = ["addOperation", "addTask", "async", "asyncAfter"]
    private static let loops: Set = ["forEach", "map"]
    /// The functions of ApiCenter, Swift and its libraries that execute their closure exactly once before they return.
    private static let once: Set = [
        "allOrNothing", "assumeIsolated", "autoreleasepool", "performAndWait", "sync",
        "withCheckedContinuation",
        "withCheckedThrowingContinuation", "withDiscardingTaskGroup", "withExtendedLifetime", "withLock",
        "withTaskGroup", "withThrowingDiscardingTaskGroup", "withThrowingTaskGroup", "withValue",
    ]
}

extension CatchClauseSyntax {
    /// Whether the clause ends with an error, or with the process, so that nothing after its `do` is executed.
    var endsExecution: Bool {
        guard let last = body.statements.last?.item else { return false }
        let call = last.as(ExprSyntax.self)?.as(FunctionCallExprSyntax.self)
        return last.is(ThrowStmtSyntax.self)
            || ["abort", "exit", "fatalError", "preconditionFailure"].contains(
                call?.calledExpression.lastName)
    }
}
