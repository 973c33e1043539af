import ModuleTree
import ModuleVersions
import SwiftSyntax

/// Rewrites a package's manifest for the export: dependencies on local packages become requirements with an address
/// and a version, an Api gets a second product that links its IMP, settings for the treatment of warnings are removed, and
/// so are the tests unless the export includes them. Only the literals and list elements concerned are rewritten.
///
/// Xcode and Swift Build compile dependencies with `-suppress-warnings`, which the compiler rejects in combination with
/// any setting for the treatment of warnings.
struct ExportedManifest {
    let package: ExportedPackage
    let set: ExportSet
    let addresses: AddressTemplate
    /// The minimum versions to require, by package name, where they differ from the current versions. An
    /// existing release keeps its original floors.
    var floors: [String: SemanticVersion] = [:]

    /// The exported manifest.
    ///
    /// - Parameter source: The manifest in the tree.
    func text(_ source: String) throws(ToolError) -> String {
        let source = try Self.source(source, withTests: package.hasTests)
        let finder = try PackageCalls.find(in: source)
        var edits = TextEdits()
        for call in finder.dependencies {
            guard let first = call.arguments.first, let label = first.label?.text else { continue }
            if label == "url" || label == "id" { continue }
            guard label == "path", let path = first.expression.literal,
                let name = path.split(separator: "/").last.map(String.init),
                let required = set.package(name)
            else { throw foreign("'\(call.trimmedDescription)' is not a package in this export.") }
            // Replaces the argument, but keeps its trailing comma.
            edits.replace(
                first.positionAfterSkippingLeadingTrivia, first.expression.endPositionBeforeTrailingTrivia,
                with: reference(to: required))
        }
        if let setting = finder.warningSettings.first {
            throw foreign("'\(setting.trimmedDescription)' is not an element of a list.")
        }
        if package.imp != nil {
            guard let package = finder.package else { throw foreign("there is no 'Package(...)'.") }
            try addImp(to: package, &edits)
        }
        return edits.applied(to: source)
    }

    /// Removes the list elements that set the treatment of warnings and, unless `withTests` is true, the tests.
    private static func source(_ source: String, withTests: Bool) throws(ToolError) -> String {
        let finder = try PackageCalls.find(in: source)
        let dropped = finder.warningSettings + (withTests ? [] : finder.tests)
        let elements = dropped.compactMap { $0.parent?.as(ArrayElementSyntax.self) }
        var edits = TextEdits()
        for element in elements {
            // The range includes the line break before the element and the comma after it.
            edits.replace(element.position, element.endPositionBeforeTrailingTrivia, with: "")
        }
        return edits.applied(to: source)
    }

    /// The arguments for a requirement: `url: "../Ride", "1.1.0"..<"10000.0.0"`.
    private func reference(to required: ExportedPackage) -> String {
        // An Api requires its own IMP at the floor in VERSIONS.md.
        let current = package.imp?.name == required.name ? package.imp?.floor : nil
        let requirement = Requirement(
            of: required, floor: floors[required.name] ?? current ?? required.version)
        return "url: \"\(addresses.address(of: required.name))\", \(requirement.text)"
    }

    /// Adds the second product, its target and its dependency on the IMP.
    private func addImp(to call: FunctionCallExprSyntax, _ edits: inout TextEdits) throws(ToolError) {
        guard let imp = package.imp, let required = set.package(imp.name) else { return }
        let name = ExportedPackage.withImp(package.name)
        let dependency = """
            // \(imp.name) >= \(imp.floor): SwiftPM has no form without an upper bound.
                    .package(\(reference(to: required)))
            """
        let target = """
            .target(name: "\(name)", dependencies: [.product(name: "\(imp.name)", package: "\(imp.name)")])
            """
        try append(
            ".library(name: \"\(name)\", targets: [\"\(package.name)\", \"\(name)\"])", to: "products",
            of: call, &edits)
        try append(target, to: "targets", of: call, &edits)
        if call.argument("dependencies") != nil {
            try append(dependency, to: "dependencies", of: call, &edits)
        } else if let start = call.argument("targets")?.positionAfterSkippingLeadingTrivia {
            edits.replace(start, start, with: "dependencies: [\n        \(dependency)\n    ],\n    ")
        }
    }

    private func append(
        _ element: String, to label: String, of call: FunctionCallExprSyntax, _ edits: inout TextEdits
    ) throws(ToolError) {
        guard let array = call.argument(label)?.expression.as(ArrayExprSyntax.self) else {
            throw foreign("there is no literal '\(label): [...]'.")
        }
        let lines = array.elements.map { $0.expression.trimmedDescription } + [element]
        edits.replace(
            array.positionAfterSkippingLeadingTrivia, array.endPositionBeforeTrailingTrivia,
            with: "[\n" + lines.map { "        \($0),\n" }.joined() + "    ]")
    }

    private func foreign(_ what: String) -> ToolError {
        ToolError(
            .configuration, at: package.source.manifestPath, what,
            why: "An export rewrites only literals in the manifest.",
            fix: "Write the manifest in the house style: .package(path: \"../Name\") and plain lists.")
    }
}

extension ExportedManifest {
    /// The minimum versions that an exported manifest requires, by lower-case package name.
    static func floors(in manifest: String) throws(ToolError) -> [String: SemanticVersion] {
        try PackageCalls.find(in: manifest).dependencies.reduce(into: [:]) { floors, call in
            let arguments = Array(call.arguments)
            guard arguments.count >= 2, let address = arguments[0].expression.literal else { return }
            let bound =
                arguments[1].expression.literal
                ?? arguments[1].expression.as(SequenceExprSyntax.self)?.elements.first?.literal
            guard let bound, let version = SemanticVersion(bound),
                let name = address.split(separator: "/").last
            else { return }
            floors[(name.hasSuffix(".git") ? name.dropLast(4) : name).lowercased()] = version
        }
    }
}

/// Finds the `Package(...)` call, the `.package(...)` calls and the settings about warnings in a manifest.
private final class PackageCalls: SyntaxVisitor {
    var package: FunctionCallExprSyntax?
    var dependencies: [FunctionCallExprSyntax] = []
    var warningSettings: [FunctionCallExprSyntax] = []
    /// The test targets, and all other targets in the tests folder.
    var tests: [FunctionCallExprSyntax] = []

    static func find(in manifest: String) throws(ToolError) -> PackageCalls {
        let finder = PackageCalls(viewMode: .sourceAccurate)
        finder.walk(try SourceParser.tree(manifest, in: "Package.swift"))
        return finder
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.calledExpression.trimmedDescription == "Package" { package = package ?? node }
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
            switch member.declName.baseName.text {
            case "package": dependencies.append(node)
            case "treatAllWarnings", "treatWarning": warningSettings.append(node)
            case "testTarget": tests.append(node)
            case "target":
                let path = node.argument("path")?.expression.literal
                if path?.hasPrefix("Tests/") == true { tests.append(node) }
            default: break
            }
        }
        return .visitChildren
    }
}
