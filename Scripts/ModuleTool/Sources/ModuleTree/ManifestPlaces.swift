import SwiftSyntax

/// Finds the positions of the declarations in a manifest that SwiftPM has evaluated, because SwiftPM does not report
/// them.
final class ManifestPlaces: SyntaxVisitor {
    private struct Target {
        let position: Position
        let argumentCount: Int
        /// The literals in the target's dependencies.
        let uses: ManifestPlaces
    }

    private let lines: LineTable
    private let isInTarget: Bool
    private var targets: [String: Target] = [:]
    /// The places of calls such as `.package(path: "A")`, keyed by the literal.
    private var packages: [String: Position] = [:]
    /// The places of calls such as `.product(name: "A")`, keyed by the literal.
    private var calls: [String: Position] = [:]
    /// The places of all literals outside targets.
    private var literals: [String: [Position]] = [:]

    convenience init(_ tree: SourceFileSyntax, _ lines: LineTable) {
        self.init(lines, isInTarget: false)
        walk(tree)
    }

    private init(_ lines: LineTable, isInTarget: Bool) {
        (self.lines, self.isInTarget) = (lines, isInTarget)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Collecting

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.argument("name")?.expression
        guard !isInTarget, LiteralManifest.name(of: node).map({ LiteralManifest.kinds[$0] != nil }) ?? false,
            let name, let text = name.literal
        else { return .visitChildren }
        let uses = ManifestPlaces(lines, isInTarget: true)
        for argument in node.arguments where ["dependencies", "plugins"].contains(argument.label?.text) {
            uses.walk(argument)
        }
        // `.target(name: "A")` may also be a dependency in a constant, but the declaration has more arguments.
        if node.arguments.count > targets[text]?.argumentCount ?? 0 {
            targets[text] = Target(
                position: lines.position(name), argumentCount: node.arguments.count, uses: uses)
        }
        return .skipChildren
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let value = node.representedLiteralValue else { return .visitChildren }
        let text = Self.key(value)
        literals[text, default: []].append(lines.position(node))
        let argument = node.parent?.as(LabeledExprSyntax.self)
        if let call = argument?.parent?.parent?.as(FunctionCallExprSyntax.self),
            call.calledExpression.is(MemberAccessExprSyntax.self)
        {
            switch argument?.label?.text {
            case "path", "url", "id": packages[text] = packages[text] ?? lines.position(call)
            case "name": calls[text] = calls[text] ?? lines.position(call)
            default: break
            }
        }
        return .skipChildren
    }

    /// A literal without the parts of a path that SwiftPM removes.
    private static func key(_ text: String) -> String { String(PathText.clean(text).trimmingPrefix("/")) }

    // MARK: Results

    /// The place of a dependency on a package, given its path or its identity.
    func package(path: String?, identity: String) -> Position {
        let place =
            path.map { self.in($0) }
            ?? packages.first { PackageIdentity.of($0.key) == identity.lowercased() }?.value
        return place ?? Position()
    }

    /// The place of a target. A computed target has the place of the literal from which its name or path is computed.
    func target(_ name: String, path: String?) -> Position {
        if let target = targets[name] { return target.position }
        if let places = literals[name], places.count == 1 { return places[0] }
        return path.flatMap { self.in($0) } ?? Position()
    }

    /// The place of a target's dependency; nil if the manifest computes its name.
    func dependency(_ name: String, of target: String) -> Position? {
        guard let target = targets[target] else { return nil }
        return target.uses.calls[name] ?? target.uses.literals[name]?.first ?? calls[name]
    }

    /// The place of the longest literal that a path contains, such as `Core/ApiCenter` in `Packages/Core/ApiCenter`.
    /// A literal without the last word of the path, such as `Ride` for `RideApi`, matches too, because a manifest may
    /// compute the name of the Api.
    private func `in`(_ path: String) -> Position? {
        let parts = Self.key(path).split(separator: "/")
        for count in stride(from: parts.count, through: 1, by: -1) {
            for start in stride(from: parts.count - count, through: 0, by: -1) {
                let text = parts[start..<start + count].joined(separator: "/")
                let names =
                    [text] + (text.lastIndex(where: \.isUppercase).map { [String(text[..<$0])] } ?? [])
                for name in names where !name.isEmpty {
                    if let place = packages[name] ?? literals[name]?.first { return place }
                }
            }
        }
        return nil
    }
}
