import ModuleFacts
import ModuleKit
import ModuleTree
import ModuleVersions
import SwiftSyntax

/// Rewrites a package's manifest for the export: dependencies on local packages become requirements with an address
/// and a version, an Api gets a second product that links its IMP, and settings for the treatment of warnings are removed. So
/// are products of previews, and the tests unless the export includes them. Only the literals and list elements concerned are rewritten.
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
    func text(_ source: String) throws(Diagnostic) -> String {
        var source = try ManifestSource(source, in: "/" + package.source.path)
        let dropped =
            source.warningSettings + source.testProducts + (package.hasTests ? [] : source.tests)
        for element in dropped.compactMap({ $0.parent?.as(ArrayElementSyntax.self) }) {
            // The range includes the line break before the element and the comma after it.
            source.edits.replace(element.position, element.endPositionBeforeTrailingTrivia, with: "")
        }
        source = try ManifestSource(source.text, in: "/" + package.source.path)
        for call in source.dependencies {
            guard let first = call.arguments.first, let label = first.label?.text else { continue }
            if label == "url" || label == "id" { continue }
            guard label == "path", let path = first.expression.literal,
                let required = set.package(PathText.split(path).name)
            else { throw foreign("'\(call.trimmedDescription)' is not a package in this export.") }
            // Replaces the argument, but keeps its trailing comma.
            source.edits.replace(
                first.positionAfterSkippingLeadingTrivia, first.expression.endPositionBeforeTrailingTrivia,
                with: reference(to: required))
        }
        let kept = source.warningSettings + (package.hasTests ? [] : source.tests)
        if let call = kept.first {
            throw foreign("'\(call.trimmedDescription)' is not an element of a list.")
        }
        if package.imp != nil {
            // The edits below replace whole lists.
            source = try ManifestSource(source.text, in: "/" + package.source.path)
            guard let package = source.package else { throw foreign("there is no 'Package(...)'.") }
            try addImp(to: package, &source.edits)
        }
        return source.text
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
    private func addImp(to call: FunctionCallExprSyntax, _ edits: inout TextEdits) throws(Diagnostic) {
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
    ) throws(Diagnostic) {
        guard let array = call.list(label) else {
            throw foreign("there is no literal '\(label): [...]'.")
        }
        let lines = array.elements.map { $0.expression.trimmedDescription } + [element]
        edits.replace(
            array.positionAfterSkippingLeadingTrivia, array.endPositionBeforeTrailingTrivia,
            with: "[\n" + lines.map { "        \($0),\n" }.joined() + "    ]")
    }

    private func foreign(_ what: String) -> Diagnostic {
        Diagnostic(
            .configuration, at: package.source.manifestPath, what,
            why: "An export rewrites only literals in the manifest.",
            fix: "Write the manifest in the house style: .package(path: \"../Name\") and plain lists.")
    }
}

extension ExportedManifest {
    /// The minimum versions that an exported manifest requires, by lower-case package name.
    static func floors(in manifest: String) throws(Diagnostic) -> [String: SemanticVersion] {
        try ManifestSource(manifest, in: "/").dependencies.reduce(into: [:]) { floors, call in
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

extension ManifestSource {
    fileprivate func members(_ names: String...) -> [FunctionCallExprSyntax] {
        calls.filter { call in
            let member = call.calledExpression.as(MemberAccessExprSyntax.self)
            return names.contains(member?.declName.baseName.text ?? "")
        }
    }

    fileprivate var dependencies: [FunctionCallExprSyntax] { members("package") }
    fileprivate var warningSettings: [FunctionCallExprSyntax] { members("treatAllWarnings", "treatWarning") }

    /// The test targets, and all other targets in the tests folder.
    fileprivate var tests: [FunctionCallExprSyntax] {
        members("testTarget") + members("target").filter { $0["path"]?.literal?.hasPrefix("Tests/") == true }
    }

    /// The products that contain only these targets.
    fileprivate var testProducts: [FunctionCallExprSyntax] {
        let names = Set(tests.compactMap { $0["name"]?.literal })
        return members("library").filter { product in
            let targets =
                product["targets"]?.as(ArrayExprSyntax.self)?.elements.map(\.expression.literal) ?? []
            return !targets.isEmpty && targets.allSatisfy { $0.map(names.contains) == true }
        }
    }
}
