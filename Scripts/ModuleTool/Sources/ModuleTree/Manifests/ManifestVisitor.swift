import ModuleFacts
import ModuleKit
import SwiftSyntax

/// Collects the calls and the literals of a manifest.
final class ManifestVisitor: SyntaxVisitor {
    private(set) var calls: [FunctionCallExprSyntax] = []
    private(set) var literals: [ManifestSource.Literal] = []
    private(set) var targets: [String: (position: Position, argumentCount: Int)] = [:]

    private let lines: LineTable
    /// The target that is being visited, and whether its dependencies are.
    private var target: Position?
    private var isDependency = false

    init(_ lines: LineTable) {
        self.lines = lines
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        calls.append(node)
        guard target == nil, LiteralManifest.kinds[node.name ?? ""] != nil, let name = node["name"],
            let text = name.literal
        else { return .visitChildren }
        target = lines.position(name)
        for argument in node.arguments {
            isDependency = ["dependencies", "plugins"].contains(argument.label?.text)
            walk(argument)
        }
        (target, isDependency) = (nil, false)
        // `.target(name: "A")` may also be a dependency in a constant, but the declaration has more arguments.
        if node.arguments.count > targets[text]?.argumentCount ?? 0 {
            targets[text] = (lines.position(name), node.arguments.count)
        }
        return .skipChildren
    }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard let value = node.representedLiteralValue else { return .visitChildren }
        let argument = node.parent?.as(LabeledExprSyntax.self)
        let call = argument?.parent?.parent?.as(FunctionCallExprSyntax.self)
        let isMember = call?.calledExpression.is(MemberAccessExprSyntax.self) ?? false
        literals.append(
            .init(
                text: ManifestSource.key(value), position: lines.position(node),
                call: isMember ? call.map { lines.position($0) } : nil,
                label: isMember ? argument?.label?.text : nil, target: target,
                isDependency: isDependency))
        return .skipChildren
    }
}

/// The places of declarations in a manifest that SwiftPM has evaluated, because SwiftPM does not report them.
extension ManifestSource {
    static func key(_ text: String) -> String { String(PathText.clean(text).trimmingPrefix("/")) }

    /// The place of a dependency on a package, given its path or its identity.
    func place(ofPackage path: String?, identity: String) -> Position {
        if let path { return place(in: path) ?? Position() }
        let declared = literals.first {
            ["url", "id"].contains($0.label) && PackageIdentity.of($0.text) == identity.lowercased()
        }
        return declared?.call ?? Position()
    }

    /// The place of a target. A computed target has the place of the literal from which its name or path is computed.
    func place(ofTarget name: String, path: String?) -> Position {
        if let place = targetPlaces[name] { return place }
        if let named = outside[name], named.count == 1 { return named[0].position }
        return path.flatMap { place(in: $0) } ?? Position()
    }

    /// The place of a target's dependency; nil if the manifest computes its name.
    func place(ofDependency name: String, of target: String) -> Position? {
        guard let target = targetPlaces[target] else { return nil }
        func named(_ literals: [Literal]?) -> Position? { literals?.first { $0.label == "name" }?.call }
        let own = literals.filter { $0.target == target && $0.isDependency && $0.text == name }
        return named(own) ?? own.first?.position ?? named(outside[name])
    }

    /// The place of the longest literal that a path contains, such as `Core/ApiCenter` in `Packages/Core/ApiCenter`.
    /// A literal without the last word of the path, such as `Ride` for `RideApi`, matches too, because a manifest may
    /// compute the name of the Api.
    private func place(in path: String) -> Position? {
        let parts = Self.key(path).split(separator: "/")
        for count in stride(from: parts.count, through: 1, by: -1) {
            for start in stride(from: parts.count - count, through: 0, by: -1) {
                let text = parts[start..<start + count].joined(separator: "/")
                let names =
                    [text] + (text.lastIndex(where: \.isUppercase).map { [String(text[..<$0])] } ?? [])
                for name in names where !name.isEmpty {
                    guard let found = outside[name] else { continue }
                    return found.first(where: \.isPackage)?.call ?? found[0].position
                }
            }
        }
        return nil
    }
}
