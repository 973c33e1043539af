import Foundation
import ModuleFacts
import ModuleKit
import SwiftSyntax

/// What a manifest promises to the users of a package, and the code of the rest, as far as they compile it.
package struct ManifestTerms: Sendable {
    /// The products, the traits and the settings, as declarations of the package.
    let declarations: [ApiSurface.Declaration]
    /// The compilation conditions that settings define, each with the condition of the setting.
    let defines: [String: Condition]
    /// The words of the manifest without commas, tests, folders, and packages beside this one. If they differ, users may
    /// compile or link the package differently.
    package let code: [String]

    /// - Parameter manifest: What SwiftPM or this tool has read from the source.
    package init(_ source: ManifestSource, _ manifest: Manifest, in path: String) {
        // The folders of the targets show in their files.
        let left = source.calls.flatMap { call -> [Range<AbsolutePosition>] in
            if call.name == "testTarget" || call.name == "package" && call["path"] != nil {
                return [call.position..<call.endPosition]
            }
            // `filter` of the list itself returns nodes of another tree.
            return Array(call.arguments).filter { ["path", "exclude", "sources"].contains($0.label?.text) }
                .map { $0.position..<$0.endPosition }
        }
        code =
            [source.file.leadingTrivia.pieces.lazy.compactMap(Self.toolsVersion).first ?? ""]
            + source.file.tokens(viewMode: .sourceAccurate).filter { token in
                token.text != "," && !left.contains { $0.contains(token.position) }
            }.map(\.text)

        func declaration(
            _ name: String, _ node: (some SyntaxProtocol)?, shape: String = "", grants: Set<String> = [],
            restrictions: [String: [Int]] = [:]
        ) -> ApiSurface.Declaration {
            let position = node.map(source.position) ?? Position()
            return .init(
                promising: name, shape: shape, grants: grants, restrictions: restrictions,
                at: position.in(path))
        }
        let package = source.package
        let calls = source.calls.filter { call in !left.contains { $0.contains(call.position) } }
        let settings = Set(calls.filter(Self.isVisible).map(\.trimmedDescription)).sorted()
        defines = calls.reduce(into: [:]) { defines, call in
            guard call.name == "define", let name = call.arguments.first?.expression.literal else { return }
            let condition = call.arguments.dropFirst().first { $0.label == nil }?.expression
            let own = condition.map { Condition.atom("\(name) \($0.trimmedDescription)") } ?? .always
            defines[name] = defines[name].map { .any([$0, own]) } ?? own
        }
        // The list may be a variable.
        let platforms = source.calls.compactMap { call -> (String, [Int])? in
            guard let name = call.name, Self.platforms.contains(name), let first = call.arguments.first else {
                return nil
            }
            let version = (call.arguments.last ?? first).expression.trimmedDescription
            return (
                name == "custom" ? first.expression.trimmedDescription : name,
                version.split { !$0.isNumber }.compactMap { Int($0) }
            )
        }
        declarations =
            [
                declaration(
                    "the package", package,
                    shape: (["package"] + settings).joined(separator: " with "),
                    restrictions: Dictionary(platforms) { first, _ in first })
            ]
            + manifest.products.map { product in
                declaration(
                    "the product \(product.name)", package, shape: product.isDynamic ? "dynamic" : "",
                    grants: Set(product.targets.map { "its target \($0)" }))
            }
            + manifest.traits.map { trait in
                let isDefault = manifest.defaultTraits.contains(trait)
                let call = calls.first {
                    $0.name == "trait" && ($0["name"] ?? $0.arguments.first?.expression)?.literal == trait
                }
                let others = call?["enabledTraits"]?.as(ArrayExprSyntax.self)?.elements
                return declaration(
                    "the trait \(trait)", package,
                    grants: Set(
                        (isDefault ? ["its place in the default traits"] : [])
                            + (others ?? []).map { "the trait \($0.expression.trimmedDescription)" }))
            }
    }

    /// Whether a setting changes what callers see of a target: isolation, conformances, or the language of its headers.
    private static func isVisible(_ call: FunctionCallExprSyntax) -> Bool {
        switch call.name {
        case "defaultIsolation", "interoperabilityMode": true
        case "enableUpcomingFeature":
            ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"].contains(
                call.arguments.first?.expression.literal)
        default: false
        }
    }

    private static let platforms = Set(PlatformName.versioned + ["custom"])

    private static func toolsVersion(_ piece: TriviaPiece) -> String? {
        guard case .lineComment(let text) = piece, text.contains("swift-tools-version") else { return nil }
        return text.filter { !$0.isWhitespace }
    }
}

extension ManifestSource {
    /// The manifest of a package as it was. SwiftPM evaluates a computed manifest without the package's files; if it cannot,
    /// the package counts as laid out as it is now.
    package func past(_ data: Data, of package: LocalPackage, _ cache: FactCache) -> Manifest {
        if let literal { return literal }
        let content = Array(data) + ManifestVariables.values(for: Array(data))
        let output = try? cache.shared("manifests", content, isOfTool: false) {
            try DumpedManifest.run(Array(data), named: package.name)
        }
        return output.flatMap { try? DumpedManifest.read($0, self) } ?? package.manifest
    }
}
