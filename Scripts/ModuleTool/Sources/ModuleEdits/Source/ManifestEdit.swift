import ModuleTree
import SwiftSyntax

/// Adds and removes dependencies in a manifest that consists of literals. The rest of the file stays unchanged.
package struct ManifestEdit {
    /// An element to add to a list of dependencies.
    package struct Element: Hashable, Comparable {
        /// The name or path, which determines the place in a sorted list.
        let key: String
        let text: String

        /// A target of the same package, or the product of the package with the same name.
        package init(name: String) { (key, text) = (name, "\"\(name)\"") }

        package init(product: String, package: String) {
            (key, text) = (product, ".product(name: \"\(product)\", package: \"\(package)\")")
        }

        package init(path: String) { (key, text) = (path, ".package(path: \"\(path)\")") }

        package static func < (left: Element, right: Element) -> Bool { left.key < right.key }
    }

    private let source: String
    private let converter: SourceLocationConverter
    private let package: FunctionCallExprSyntax
    /// The calls that declare the targets.
    private let targets: [FunctionCallExprSyntax]
    private var edits = TextEdits()

    /// Reads the manifest of the package in a folder, given as an absolute path. Returns nil if the manifest does not
    /// consist of literals.
    package init?(_ text: String, in folder: String) throws(ToolError) {
        source = text
        guard try LiteralManifest.read(Array(text.utf8), in: folder) != nil else { return nil }
        let file = try SourceParser.tree(text, in: folder + "/Package.swift")
        let package = file.statements.lazy.compactMap {
            $0.item.as(VariableDeclSyntax.self)?.bindings.first
        }
        .first { $0.pattern.trimmedDescription == "package" }?.initializer?.value
        guard let package = package?.as(FunctionCallExprSyntax.self) else { return nil }
        (self.package, converter) = (package, SourceLocationConverter(fileName: "", tree: file))
        let listed = package.argument("targets")?.expression.as(ArrayExprSyntax.self)?.elements.map(
            \.expression)
        let appended = file.statements.compactMap { $0.item.as(FunctionCallExprSyntax.self) }
            .filter { $0.calledExpression.trimmedDescription == "package.targets.append" }
            .compactMap(\.arguments.first?.expression)
        targets = ((listed ?? []) + appended).compactMap { $0.as(FunctionCallExprSyntax.self) }
    }

    /// The manifest with all edits; nil if there are none.
    package var text: String? { edits.isEmpty ? nil : edits.applied(to: source) }

    // MARK: Removing

    /// Removes the dependencies that begin at these positions. A dependency with a comment stays, because only a
    /// person can decide what to do with the comment.
    package mutating func remove(_ positions: Set<Position>) {
        for call in [package] + targets {
            guard let list = call.argument("dependencies")?.expression.as(ArrayExprSyntax.self) else {
                continue
            }
            remove(positions, from: list)
        }
    }

    private mutating func remove(_ positions: Set<Position>, from list: ArrayExprSyntax) {
        func position(_ element: ArrayElementSyntax) -> Position {
            let place = converter.location(for: element.positionAfterSkippingLeadingTrivia)
            return Position(line: place.line, column: place.column)
        }
        let all = Array(list.elements)
        let removed = all.filter { positions.contains(position($0)) && !$0.hasComment }
        let kept = all.filter { !removed.contains($0) }
        for element in removed { edits.replace(element.position, element.endPosition, with: "") }
        guard !removed.isEmpty else { return }
        if let last = kept.last, let comma = last.trailingComma, list.elements.last?.trailingComma == nil {
            edits.replace(
                comma.positionAfterSkippingLeadingTrivia,
                last.hasComment ? comma.endPositionBeforeTrailingTrivia : comma.endPosition, with: "")
        } else if kept.isEmpty, !list.rightSquare.hasComment {
            edits.replace(
                list.rightSquare.position, list.rightSquare.positionAfterSkippingLeadingTrivia, with: "")
        }
    }

    // MARK: Adding

    /// Adds dependencies to the package. Returns false if the list of dependencies is not a literal in the `Package`
    /// call.
    package mutating func add(_ elements: Set<Element>) -> Bool {
        if let list = package.argument("dependencies") {
            guard list.expression.is(ArrayExprSyntax.self) else { return false }
            insert(elements.sorted(), into: list)
            return true
        }
        guard let targets = package.argument("targets") else { return false }
        let start = targets.positionAfterSkippingLeadingTrivia
        edits.replace(start, start, with: "dependencies: [\(elements.sorted().text)]," + targets.separator)
        return true
    }

    /// Adds dependencies to a target. Returns false if the manifest contains no call with the target's literal name
    /// and list.
    package mutating func add(_ elements: Set<Element>, to name: String) -> Bool {
        guard let target = targets.first(where: { $0.argument("name")?.expression.literal == name }) else {
            return false
        }
        if let list = target.argument("dependencies") {
            guard list.expression.is(ArrayExprSyntax.self) else { return false }
            insert(elements.sorted(), into: list)
        } else if let name = target.argument("name") {
            let end = name.expression.endPositionBeforeTrailingTrivia
            edits.replace(end, end, with: "," + name.separator + "dependencies: [\(elements.sorted().text)]")
        }
        return true
    }

    /// Inserts elements at their places in a sorted list, or at the end of another list.
    private mutating func insert(_ new: [Element], into argument: LabeledExprSyntax) {
        guard let list = argument.expression.as(ArrayExprSyntax.self) else { return }
        let old = Array(list.elements)
        guard let last = old.last else {
            return edits.replace(list.leftSquare.endPosition, list.leftSquare.endPosition, with: new.text)
        }
        let keys = old.map { $0.expression.key ?? "" }
        let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 } && keys.first != ""
        var appended: [String] = []
        for element in new {
            guard isSorted, let next = zip(old, keys).first(where: { $1 > element.key })?.0 else {
                appended.append(last.separator + element.text)
                continue
            }
            if next.isOnOwnLine {
                edits.replace(next.position, next.position, with: next.separator + element.text + ",")
            } else {
                let start = next.positionAfterSkippingLeadingTrivia
                edits.replace(start, start, with: element.text + ", ")
            }
        }
        guard !appended.isEmpty else { return }
        if last.trailingComma == nil {
            let end = last.expression.endPositionBeforeTrailingTrivia
            edits.replace(end, end, with: ",")
        }
        edits.replace(
            last.endPosition, last.endPosition,
            with: appended.joined(separator: ",") + (last.trailingComma == nil ? "" : ","))
    }
}

extension [ManifestEdit.Element] {
    fileprivate var text: String { map(\.text).joined(separator: ", ") }
}

extension ExprSyntax {
    /// The name or the path of a dependency.
    fileprivate var key: String? {
        let call = self.as(FunctionCallExprSyntax.self)
        return literal ?? (call?.argument("path") ?? call?.argument("name"))?.expression.literal
    }
}

extension SyntaxProtocol {
    fileprivate var hasComment: Bool {
        tokens(viewMode: .sourceAccurate).contains { token in
            (token.leadingTrivia.pieces + token.trailingTrivia.pieces).contains(where: \.isComment)
        }
    }

    fileprivate var isOnOwnLine: Bool { leadingTrivia.pieces.contains(where: \.isNewline) }

    /// The space before this node: a new line with its indentation, or a single space.
    fileprivate var separator: String {
        let space = leadingTrivia.description
        return space.lastIndex(where: \.isNewline).map { String(space[$0...]) } ?? " "
    }
}
