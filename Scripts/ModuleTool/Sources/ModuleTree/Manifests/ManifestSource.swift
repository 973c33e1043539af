import ModuleFacts
import ModuleKit
import SwiftSyntax

/// A `Package.swift` as syntax: evaluates a manifest of literals, knows the places of all declarations, and edits lists.
/// The rest of the file stays unchanged.
package struct ManifestSource: Sendable {
    /// A string literal.
    package struct Literal: Sendable {
        /// The text without the parts of a path that SwiftPM removes.
        package let text: String
        package let position: Position
        /// The call such as `.package(path: "A")` whose argument the literal is, and the argument's label.
        let call: Position?
        let label: String?
        /// The target in whose arguments the literal stands, and whether it stands in the target's dependencies.
        let target: Position?
        let isDependency: Bool

        var isPackage: Bool { ["path", "url", "id"].contains(label) }
    }

    private let bytes: [UInt8]
    package let file: SourceFileSyntax
    /// All calls with a name, in the file's order.
    package let calls: [FunctionCallExprSyntax]
    package let literals: [Literal]
    /// The literals outside targets, by their texts.
    let outside: [String: [Literal]]
    /// The places of the targets that the file declares by literal names.
    let targetPlaces: [String: Position]

    /// The package, if the manifest computes no part that the rules need. SwiftPM evaluates other manifests.
    package let literal: Manifest?

    package var edits = TextEdits()
    private let lines: LineTable

    /// Parses the manifest of the package in a folder, given as an absolute path, because SwiftPM derives the identity
    /// of a package from its whole path.
    package init(_ bytes: [UInt8], in folder: String) throws(Diagnostic) {
        self = try SourceParser.read(bytes, in: folder + "/Package.swift") {
            ManifestSource(bytes, $0, folder)
        }
    }

    package init(_ text: String, in folder: String) throws(Diagnostic) {
        try self.init(Array(text.utf8), in: folder)
    }

    private init(_ bytes: [UInt8], _ file: SourceFileSyntax, _ folder: String) {
        lines = LineTable(bytes)
        let visitor = ManifestVisitor(lines)
        visitor.walk(file)
        (self.bytes, self.file, calls, literals) = (bytes, file, visitor.calls, visitor.literals)
        outside = Dictionary(grouping: literals.filter { $0.target == nil }, by: \.text)
        targetPlaces = visitor.targets.mapValues(\.position)
        literal = LiteralManifest.read(file, bytes, lines, in: folder)
    }

    /// The text with all edits.
    package var text: String { edits.applied(to: String(decoding: bytes, as: UTF8.self)) }

    /// The places of all `.package(…)` in the file, in every branch of `#if`.
    package var packages: [Position] {
        calls.filter { $0.name == "package" && ($0["path"] ?? $0["url"] ?? $0["id"]) != nil }.map {
            lines.position($0)
        }
    }

    package func position(_ node: some SyntaxProtocol) -> Position { lines.position(node) }

    /// The value of a constant that the file declares at the top level.
    package func value(of name: String) -> ExprSyntax? {
        file.statements.lazy.compactMap { $0.item.as(VariableDeclSyntax.self)?.bindings.first }
            .first { $0.pattern.trimmedDescription == name }?.initializer?.value
    }

    package var package: FunctionCallExprSyntax? { value(of: "package")?.as(FunctionCallExprSyntax.self) }

    /// The calls that declare the targets.
    private var targets: [FunctionCallExprSyntax] {
        let parts = package?["targets"]?.as(SequenceExprSyntax.self).map { Array($0.elements) }
        let listed = (parts ?? [package?["targets"]].compactMap(\.self))
            .compactMap { $0.as(ArrayExprSyntax.self) }.flatMap { $0.elements.map(\.expression) }
        let appended = file.statements.compactMap { $0.item.as(FunctionCallExprSyntax.self) }
            .filter { $0.calledExpression.trimmedDescription == "package.targets.append" }
            .compactMap(\.arguments.first?.expression)
        return (listed + appended).compactMap { $0.as(FunctionCallExprSyntax.self) }
    }

    // MARK: Edits

    /// An element to add to a list.
    package struct Element: Hashable, Comparable {
        /// The name or path, which determines the place in a sorted list.
        let key: String
        let text: String

        package init(_ key: String, _ text: String) { (self.key, self.text) = (key, text) }

        /// A target of the same package, or the product of the package with the same name.
        package init(name: String) { self.init(name, "\"\(name)\"") }

        package init(product: String, package: String) {
            self.init(product, ".product(name: \"\(product)\", package: \"\(package)\")")
        }

        package init(path: String) { self.init(path, ".package(path: \"\(path)\")") }

        package static func < (left: Element, right: Element) -> Bool { left.key < right.key }
    }

    /// Removes the dependencies that begin at these positions. A dependency with a comment stays, because only a
    /// person can decide what to do with the comment.
    package mutating func removeDependencies(at positions: Set<Position>) {
        for call in [package].compactMap(\.self) + targets {
            guard let list = call.list("dependencies") else { continue }
            let removed = Array(list.elements).filter { positions.contains(position($0)) && !$0.hasComment }
            remove(removed, from: list)
            let square = list.rightSquare
            if !removed.isEmpty, removed.count == list.elements.count, !square.hasComment {
                edits.replace(square.position, square.positionAfterSkippingLeadingTrivia, with: "")
            }
        }
    }

    /// Removes elements, and the comments at the ends of their lines. Comments above them stay.
    package mutating func remove(_ removed: [ArrayElementSyntax], from list: ArrayExprSyntax) {
        let kept = list.elements.filter { !removed.contains($0) }
        for element in removed { edits.replace(element.startOfLine, element.endPosition, with: "") }
        if !removed.isEmpty, let last = kept.last, let comma = last.trailingComma,
            list.elements.last?.trailingComma == nil
        {
            edits.replace(
                comma.positionAfterSkippingLeadingTrivia,
                last.hasComment ? comma.endPositionBeforeTrailingTrivia : comma.endPosition, with: "")
        }
    }

    /// Adds dependencies to the package. Returns false if the list of dependencies contains no literal list.
    package mutating func add(_ elements: Set<Element>) -> Bool {
        guard let package, let targets = package.argument("targets") else { return false }
        if package.argument("dependencies") != nil {
            return dependencies(of: package).map { insert(elements, into: $0) } != nil
        }
        let start = targets.positionAfterSkippingLeadingTrivia
        edits.replace(start, start, with: "dependencies: [\(Self.text(elements))]," + targets.separator)
        return true
    }

    /// The literal list in the dependencies of a package or a target: all of them, or a part of a sum. A constant of the
    /// package counts too, but several targets may use the same constant.
    private func dependencies(of call: FunctionCallExprSyntax) -> ArrayExprSyntax? {
        guard let value = call["dependencies"] else { return nil }
        let parts = value.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? [value]
        return parts.lazy.compactMap { part in
            let constant = part.as(DeclReferenceExprSyntax.self)?.baseName.text
            let list = call.name == "Package" ? constant.flatMap(self.value) : nil
            return (list ?? part).as(ArrayExprSyntax.self)
        }.first
    }

    /// Adds dependencies to a target. Returns false if the manifest contains no call with the target's literal name
    /// and with a literal list.
    package mutating func add(_ elements: Set<Element>, to name: String) -> Bool {
        guard let target = targets.first(where: { $0["name"]?.literal == name }) else { return false }
        if target.argument("dependencies") != nil {
            return dependencies(of: target).map { insert(elements, into: $0) } != nil
        }
        if let name = target.argument("name") {
            let end = name.expression.endPositionBeforeTrailingTrivia
            edits.replace(end, end, with: "," + name.separator + "dependencies: [\(Self.text(elements))]")
        }
        return true
    }

    /// Inserts elements at their places in a sorted list, or at the end of another list.
    package mutating func insert(_ elements: Set<Element>, into list: ArrayExprSyntax) {
        let (new, old) = (elements.sorted(), Array(list.elements))
        guard let last = old.last else {
            let end = list.leftSquare.endPosition
            let isOnLines = list.rightSquare.isOnOwnLine
            let lines = new.map { list.rightSquare.separator + "    \($0.text)," }.joined()
            return edits.replace(end, end, with: isOnLines ? lines : Self.text(elements))
        }
        if isTooLong(list, with: new) { return wrap(list, adding: new) }
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

    /// Whether a list in one line, without comments, would have more than 110 columns.
    private func isTooLong(_ list: ArrayExprSyntax, with new: [Element]) -> Bool {
        let added = new.map { $0.text.count + 2 }.reduce(0, +)
        let start = position(list).column
        return !list.trimmedDescription.contains("\n") && !list.hasComment
            && start + list.trimmedDescription.count + added > 110
    }

    /// Writes each element of a list in a line of its own.
    private mutating func wrap(_ list: ArrayExprSyntax, adding new: [Element]) {
        let line = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[
            position(list).line - 1]
        let indentation = String(decoding: line.prefix { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        var elements = list.elements.map {
            (key: $0.expression.key ?? "", text: $0.expression.trimmedDescription)
        }
        let isSorted = zip(elements, elements.dropFirst()).allSatisfy { $0.key <= $1.key }
        elements += new.map { ($0.key, $0.text) }
        if isSorted { elements.sort { $0.key < $1.key } }
        let lines = elements.map { "\n\(indentation)    \($0.text)," }.joined() + "\n\(indentation)"
        edits.replace(list.leftSquare.endPosition, list.rightSquare.position, with: lines)
    }

    private static func text(_ elements: Set<Element>) -> String {
        elements.sorted().map(\.text).joined(separator: ", ")
    }
}

extension FunctionCallExprSyntax {
    package func argument(_ label: String) -> LabeledExprSyntax? {
        arguments.first { $0.label?.text == label }
    }

    /// The value of an argument; nil if it is missing or `nil`.
    package subscript(label: String) -> ExprSyntax? {
        argument(label).flatMap { $0.expression.is(NilLiteralExprSyntax.self) ? nil : $0.expression }
    }

    /// The value of an argument that is a list.
    package func list(_ label: String) -> ArrayExprSyntax? { self[label]?.as(ArrayExprSyntax.self) }

    /// The name of the called function; nil for a method that is called on a value.
    package var name: String? {
        if let member = calledExpression.as(MemberAccessExprSyntax.self) {
            let type = member.base?.trimmedDescription
            return type?.first?.isUppercase ?? true ? member.declName.baseName.text : nil
        }
        return calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    }
}

extension ExprSyntax {
    /// The name or the path of an element.
    fileprivate var key: String? {
        let call = self.as(FunctionCallExprSyntax.self)
        return literal ?? (call?["path"] ?? call?["name"] ?? call?.arguments.first?.expression)?.literal
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

    /// The end of the comments above this node, or else the end of the token before it.
    fileprivate var startOfLine: AbsolutePosition {
        leadingTrivia.pieces.contains(where: \.isComment) && isOnOwnLine
            ? positionAfterSkippingLeadingTrivia.advanced(by: -separator.utf8.count) : position
    }
}
