import ModuleEdits
import ModuleTree
import ModuleVersions
import SwiftParser
import SwiftSyntax

/// Writes a package's manifest as outsiders get it: every local package by address and version, and an Api with
/// a second product that links its IMP. All else stays as it stands.
struct ExportedManifest {
    let package: ExportedPackage
    let set: ExportSet
    let addresses: AddressTemplate
    /// The least versions to require, by name, where they are not the current ones: a release that stands keeps
    /// the floors that it was released with.
    var floors: [String: SemanticVersion] = [:]

    /// - Parameter source: The manifest in the tree.
    /// - Throws: ``ModuleEdits/EditError`` when it is not in the house form, and so cannot be rewritten safely.
    func text(_ source: String) throws(EditError) -> String {
        let file = Parser.parse(source: source)
        let finder = PackageCalls(viewMode: .sourceAccurate)
        finder.walk(file)
        var edits: [TextEdit] = []
        for call in finder.dependencies {
            guard let first = call.arguments.first, let label = first.label?.text else { continue }
            if label == "url" || label == "id" { continue }
            guard label == "path", let path = first.expression.literal,
                let name = path.split(separator: "/").last.map(String.init),
                let required = set.package(name)
            else { throw foreign("'\(call.trimmedDescription)' is no local package of this export.") }
            // The argument without the comma after it.
            let range = first.offsets.lowerBound..<first.expression.offsets.upperBound
            edits.append(TextEdit(range: range, text: reference(to: required)))
        }
        if package.imp != nil {
            guard let package = finder.package else { throw foreign("it has no 'Package(...)'.") }
            edits += try withImp(package)
        }
        return TextEdit.apply(edits, to: source)
    }

    /// `url: "../Ride", "1.1.0"..<"10000.0.0"`.
    private func reference(to required: ExportedPackage) -> String {
        let requirement = Requirement(
            of: required, floor: floors[required.name] ?? required.floor(for: package))
        return "url: \"\(addresses.address(of: required.name))\", \(requirement.text)"
    }

    /// The second product, its target and what that depends on.
    private func withImp(_ call: FunctionCallExprSyntax) throws(EditError) -> [TextEdit] {
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
    ) throws(EditError) -> TextEdit {
        guard let argument = call.arguments.first(where: { $0.label?.text == label }),
            let array = argument.expression.as(ArrayExprSyntax.self)
        else { throw foreign("it has no literal '\(label): [...]'.") }
        let lines = array.elements.map { $0.expression.trimmedDescription } + [element]
        return TextEdit(
            range: array.offsets,
            text: "[\n" + lines.map { "        \($0),\n" }.joined() + "    ]")
    }

    private func foreign(_ what: String) -> EditError {
        EditError(
            .usage, at: package.source.manifestPath, what,
            why: "A manifest is exported by rewriting its literals, and nothing in it is guessed.",
            mend: "Write it in the house form: .package(path: \"../Name\"), and plain lists.")
    }
}

extension ExportedManifest {
    /// The least versions that an exported manifest requires, by the names of the packages in lower case.
    static func floors(in manifest: String) -> [String: SemanticVersion] {
        let finder = PackageCalls(viewMode: .sourceAccurate)
        finder.walk(Parser.parse(source: manifest))
        return finder.dependencies.reduce(into: [:]) { floors, call in
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
    /// The least version of this package that another one requires: for an Api's own IMP the floor of the
    /// table, for everything else the current version.
    func floor(for other: ExportedPackage) -> SemanticVersion {
        other.imp?.name == name ? other.imp?.floor ?? version : version
    }
}

/// The `Package(...)` of a manifest and its `.package(...)`.
private final class PackageCalls: SyntaxVisitor {
    var package: FunctionCallExprSyntax?
    var dependencies: [FunctionCallExprSyntax] = []

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.calledExpression.trimmedDescription == "Package" { package = package ?? node }
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "package"
        {
            dependencies.append(node)
        }
        return .visitChildren
    }
}

extension ExprSyntax {
    /// The text of a literal without interpolation.
    fileprivate var literal: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}

extension SyntaxProtocol {
    /// Where the node stands, without what surrounds it.
    fileprivate var offsets: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }
}

/// A replacement of a part of a text, by UTF-8 offsets.
private struct TextEdit {
    let range: Range<Int>
    let text: String

    /// Makes edits that do not overlap.
    static func apply(_ edits: [TextEdit], to source: String) -> String {
        var bytes = Array(source.utf8)
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(edit.range, with: edit.text.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
