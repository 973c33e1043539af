import ModuleTree
import ModuleVersions
import SwiftSyntax

/// Rewrites a package's manifest for the export: local packages become requirements by address and version,
/// an Api gets a second product that links its IMP, and warnings are no longer errors. The rest of the manifest
/// is unchanged.
///
/// Xcode compiles packages of others with `-suppress-warnings`, which the compiler rejects in combination with any
/// setting about the treatment of warnings.
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
        var edits: [TextEdit] = []
        for call in finder.dependencies {
            guard let first = call.arguments.first, let label = first.label?.text else { continue }
            if label == "url" || label == "id" { continue }
            guard label == "path", let path = first.expression.literal,
                let name = path.split(separator: "/").last.map(String.init),
                let required = set.package(name)
            else { throw foreign("'\(call.trimmedDescription)' is not a package of this export.") }
            // The argument without its trailing comma.
            let range = first.offsets.lowerBound..<first.expression.offsets.upperBound
            edits.append(TextEdit(range: range, text: reference(to: required)))
        }
        if let setting = finder.warningSettings.first {
            throw foreign("'\(setting.trimmedDescription)' is not an element of a list.")
        }
        if package.imp != nil {
            guard let package = finder.package else { throw foreign("there is no 'Package(...)'.") }
            edits += try withImp(package)
        }
        return TextEdit.apply(edits, to: source)
    }

    /// A manifest without the list elements that treat warnings as errors or as warnings and, if so requested, without
    /// tests.
    private static func source(_ source: String, withTests: Bool) throws(ToolError) -> String {
        let finder = try PackageCalls.find(in: source)
        let dropped = finder.warningSettings + (withTests ? [] : finder.tests)
        let elements = dropped.compactMap { $0.parent?.as(ArrayElementSyntax.self) }
        let edits = elements.map { element in
            // The range includes the line break before the element and the comma after it.
            TextEdit(
                range: element.position.utf8Offset..<element.endPositionBeforeTrailingTrivia.utf8Offset,
                text: "")
        }
        return TextEdit.apply(edits, to: source)
    }

    /// The arguments for a requirement: `url: "../Ride", "1.1.0"..<"10000.0.0"`.
    private func reference(to required: ExportedPackage) -> String {
        let requirement = Requirement(
            of: required, floor: floors[required.name] ?? required.floor(for: package))
        return "url: \"\(addresses.address(of: required.name))\", \(requirement.text)"
    }

    /// The edits that add the second product, its target and its dependency on the IMP.
    private func withImp(_ call: FunctionCallExprSyntax) throws(ToolError) -> [TextEdit] {
        guard let imp = package.imp, let required = set.package(imp.name) else { return [] }
        let name = ExportedPackage.withImp(package.name)
        let dependency = """
            // \(imp.name) >= \(imp.floor): SwiftPM has no form without an upper bound.
                    .package(\(reference(to: required)))
            """
        let target = """
            .target(name: "\(name)", dependencies: [.product(name: "\(imp.name)", package: "\(imp.name)")])
            """
        var edits = [
            try appending(
                ".library(name: \"\(name)\", targets: [\"\(package.name)\", \"\(name)\"])", to: "products",
                of: call),
            try appending(target, to: "targets", of: call),
        ]
        if call.arguments.contains(where: { $0.label?.text == "dependencies" }) {
            edits.append(try appending(dependency, to: "dependencies", of: call))
        } else if let targets = call.arguments.first(where: { $0.label?.text == "targets" }) {
            let start = targets.positionAfterSkippingLeadingTrivia.utf8Offset
            edits.append(
                TextEdit(
                    range: start..<start, text: "dependencies: [\n        \(dependency)\n    ],\n    "))
        }
        return edits
    }

    private func appending(
        _ element: String, to label: String, of call: FunctionCallExprSyntax
    ) throws(ToolError) -> TextEdit {
        guard let argument = call.arguments.first(where: { $0.label?.text == label }),
            let array = argument.expression.as(ArrayExprSyntax.self)
        else { throw foreign("there is no literal '\(label): [...]'.") }
        let lines = array.elements.map { $0.expression.trimmedDescription } + [element]
        return TextEdit(
            range: array.offsets,
            text: "[\n" + lines.map { "        \($0),\n" }.joined() + "    ]")
    }

    private func foreign(_ what: String) -> ToolError {
        ToolError(
            .configuration, at: package.source.manifestPath, what,
            why: "An export rewrites only literals in the manifest.",
            fix: "Write the manifest in the house form: .package(path: \"../Name\"), and plain lists.")
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

extension ExportedPackage {
    /// The minimum version of this package that another package requires: for an Api's own IMP the floor in
    /// VERSIONS.md, otherwise the current version.
    func floor(for other: ExportedPackage) -> SemanticVersion {
        other.imp?.name == name ? other.imp?.floor ?? version : version
    }
}

/// Finds the `Package(...)` call, the `.package(...)` calls and the settings about warnings in a manifest.
private final class PackageCalls: SyntaxVisitor {
    var package: FunctionCallExprSyntax?
    var dependencies: [FunctionCallExprSyntax] = []
    var warningSettings: [FunctionCallExprSyntax] = []
    /// The test targets, and the targets in the folder of tests.
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
                let path = node.arguments.first { $0.label?.text == "path" }?.expression.literal
                if path?.hasPrefix("Tests/") == true { tests.append(node) }
            default: break
            }
        }
        return .visitChildren
    }
}

extension ExprSyntax {
    /// The value of a string literal without interpolation; nil for any other expression.
    fileprivate var literal: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}

extension SyntaxProtocol {
    /// The node's UTF-8 offsets, without surrounding whitespace and comments.
    fileprivate var offsets: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }
}

/// A replacement of part of a string, by UTF-8 offsets.
private struct TextEdit {
    let range: Range<Int>
    let text: String

    /// Applies edits that do not overlap.
    static func apply(_ edits: [TextEdit], to source: String) -> String {
        var bytes = Array(source.utf8)
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(edit.range, with: edit.text.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
