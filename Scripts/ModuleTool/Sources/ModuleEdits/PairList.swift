import ModuleKit
import ModuleTree
import SwiftSyntax

/// The list of pairs in an app's manifest: `let pairs = [Pair("Business/Ride"), ...]`.
package struct PairList {
    package struct Pair: Equatable {
        /// The IMP's folder as the list names it, relative to the app's folder of packages: `Business/Ride`.
        package let path: String
        /// The IMP's folder: `Packages/Business/Ride`.
        package let folder: String
        /// The pair whose Api an alternative implements; nil for a pair with its own Api.
        package let alternativeTo: String?
        /// The trait that the pair shares with others; nil if the pair is a trait of its own.
        package let sharedTrait: String?
        /// The products that the pair's tests use, besides the pair, its Api and ApiCenter: `Routes`, or
        /// `UserApi/UserApiFakes` for a product of a package with another name.
        package let uses: [String]
        /// The pair's line in the manifest, counted from 1.
        package let line: Int

        package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
        /// The trait that adds the pair to an app.
        package var trait: String { sharedTrait ?? name }
        /// The `#if` condition for code that needs the pair. A focus gives every pair a trait of its own.
        package var condition: String { sharedTrait.map { "\($0) || \(name)" } ?? name }
    }

    package private(set) var pairs: [Pair] = []
    package let app: Configuration.App
    private var source: ManifestSource

    package init(_ manifest: String, of app: Configuration.App = .init()) throws(Diagnostic) {
        (self.app, source) = (app, try ManifestSource(manifest, in: "/" + app.folder))
        func malformed(_ line: Int, _ what: String, fix: String? = nil) -> Diagnostic {
            Diagnostic(
                .configuration, at: "\(app.manifest):\(line)", "the app's manifest cannot be edited: \(what)",
                why: "The app is built from this list.",
                fix: fix
                    ?? "Write 'let pairs = [', one line 'Pair(\"Business/Ride\"),' for each pair, and ']'.")
        }
        // The parser skips code that it cannot read, and may skip a pair.
        if source.file.hasError {
            let mistake = source.file.tokens(viewMode: .all).first {
                $0.hasError || $0.parent?.is(UnexpectedNodesSyntax.self) == true
            }
            throw malformed(
                mistake.map { source.position($0).line } ?? 1,
                "it has a syntax error or an unresolved merge conflict.",
                fix: "Fix the file and run the command again.")
        }
        guard let list else { throw malformed(1, "it has no list that begins with 'let pairs = ['.") }
        for element in list.elements {
            let line = source.position(element).line
            guard let pair = Pair(element.expression, of: app, line: line), Self.isIdentifier(pair.name)
            else {
                throw malformed(
                    line, "'\(element.expression.trimmedDescription)' is not a pair with a module's name.")
            }
            guard !pairs.contains(where: { $0.name == pair.name }) else {
                throw malformed(line, "\(pair.name) is listed twice.")
            }
            pairs.append(pair)
        }
        for pair in pairs {
            guard let trait = pair.sharedTrait else { continue }
            let isAlone = pair.alternativeTo == nil && !pairs.contains { $0.alternativeTo == pair.name }
            guard isAlone, Self.isIdentifier(trait), !pairs.contains(where: { $0.name == trait }) else {
                throw malformed(
                    pair.line,
                    "\(pair.name) cannot share the trait '\(trait)': a shared trait has a name that no pair has, and "
                        + "a pair and its alternative cannot share their traits with others.",
                    fix: "Write another 'trait:' for \(pair.name), or remove it.")
            }
        }
    }

    private var list: ArrayExprSyntax? { source.value(of: "pairs")?.as(ArrayExprSyntax.self) }

    private static func isIdentifier(_ name: String) -> Bool {
        name.first?.isNumber == false && name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    }

    /// The manifest's text, with the changes made so far.
    package var text: String { source.text }

    /// Adds the pair whose IMP has this folder, at its place in the sorted list.
    package mutating func add(
        folder: String, alternativeTo: String? = nil, trait: String? = nil, uses: [String] = []
    ) throws(Diagnostic) {
        let path = PathText.path(to: folder, from: app.packages)
        let entry = Self.entry(path, alternativeTo: alternativeTo, trait: trait, uses: uses)
        if let list { source.insert([.init(path, entry)], into: list) }
        self = try PairList(text, of: app)
        guard Set(pairs.map(\.trait)).count < 300 else {
            throw Diagnostic(
                .configuration, at: app.manifest,
                "the app would have more than 299 pairs with their own traits.",
                why: "SwiftPM accepts at most 300 traits in a package, and 'default' is one of them.",
                fix:
                    "Make pairs share traits, as in 'Pair(\"\(path)\", trait: \"Group\")', and write 'trait: layer' or "
                    + "'trait: folder' for the app in \(Configuration.path).")
        }
    }

    /// Whether the manifest's type `Pair` has the property `uses`. The manifest of a package without tests has none.
    package var takesUses: Bool {
        source.file.statements.contains { statement in
            let type = statement.item.as(StructDeclSyntax.self)
            return type?.name.text == "Pair"
                && type?.tokens(viewMode: .sourceAccurate).contains { $0.text == "uses" } == true
        }
    }

    /// Writes which products the tests of a pair use.
    package mutating func set(uses: [String], of name: String) throws(Diagnostic) {
        guard let list, let index = pairs.firstIndex(where: { $0.name == name }), pairs[index].uses != uses
        else { return }
        let (pair, old) = (pairs[index], Array(list.elements)[index].expression)
        source.edits.replace(
            old.positionAfterSkippingLeadingTrivia, old.endPositionBeforeTrailingTrivia,
            with: Self.entry(
                pair.path, alternativeTo: pair.alternativeTo, trait: pair.sharedTrait, uses: uses))
        self = try PairList(text, of: app)
    }

    /// Adds a package to the manifest's list `packages`, if there is one.
    package mutating func declare(_ name: String, _ package: Configuration.Source) throws(Diagnostic) {
        guard let packages = source.value(of: "packages")?.as(ArrayExprSyntax.self) else { return }
        source.insert([.init(name, package.declaration(from: app.folder))], into: packages)
        self = try PairList(text, of: app)
    }

    private static func entry(
        _ path: String, alternativeTo: String?, trait: String?, uses: [String]
    ) -> String {
        let start =
            "Pair(\"\(path)\"" + (alternativeTo.map { ", alternativeTo: \"\($0)\"" } ?? "")
            + (trait.map { ", trait: \"\($0)\"" } ?? "")
        let line = start + (uses.isEmpty ? "" : ", uses: [\(ModuleTemplates.quoted(uses))]") + ")"
        guard line.count > longestLine else { return line }
        let lines = uses.map { "            \"\($0)\",\n" }.joined()
        return "Pair(\(start.dropFirst("Pair(".count)),\n        uses: [\n\(lines)        ])"
    }

    /// The maximum length of an entry in one line. Indented, and with a comma, it fits into 100 columns.
    private static let longestLine = 95

    package mutating func remove(_ name: String) throws(Diagnostic) {
        guard let list, let index = pairs.firstIndex(where: { $0.name == name }) else { return }
        source.remove([Array(list.elements)[index]], from: list)
        self = try PairList(text, of: app)
    }

    /// The lines outside the list that contain a string literal whose last path component is one of these names.
    package func lines(naming names: Set<String>) -> [Int] {
        let listed = list.map { source.position($0).line...source.position($0.rightSquare).line }
        let naming = source.literals.filter { names.contains(PathText.split($0.text).name) }
        return Set(naming.map(\.position.line)).filter { listed?.contains($0) != true }.sorted()
    }
}

extension PairList.Pair {
    /// Reads `Pair("Business/Ride", alternativeTo: …, trait: …, uses: […])`; nil for any other expression.
    fileprivate init?(_ expression: ExprSyntax, of app: Configuration.App, line: Int) {
        guard let call = expression.as(FunctionCallExprSyntax.self), call.name == "Pair" else { return nil }
        var values: [String: String] = [:]
        for argument in call.arguments where argument.label?.text != "uses" {
            values[argument.label?.text ?? "path"] = argument.expression.literal
        }
        let listed = call.argument("uses")
        let uses = call.list("uses")?.elements.map(\.expression.literal) ?? []
        guard let path = values["path"], values.count + (listed == nil ? 0 : 1) == call.arguments.count,
            values.keys.allSatisfy({ ["path", "alternativeTo", "trait"].contains($0) }),
            listed == nil || call.list("uses") != nil, !uses.contains(nil)
        else { return nil }
        self.uses = uses.compactMap(\.self)
        (self.path, folder) = (path, PathText.join(app.packages, path))
        (alternativeTo, sharedTrait) = (values["alternativeTo"], values["trait"])
        self.line = line
    }
}

extension [PairList] {
    /// The pair with the given name, which must exist.
    package func pair(_ name: String) throws(Diagnostic) -> PairList.Pair {
        let pairs = pairs
        if let pair = pairs.first(where: { $0.name == name }) { return pair }
        throw Diagnostic(
            .configuration, at: first?.app.manifest, "there is no pair named \(name).",
            fix: Spelling.choice(for: name, among: pairs.map(\.name)))
    }

    /// The pairs of all lists, each once.
    package var pairs: [PairList.Pair] {
        reduce(into: []) { all, list in
            all += list.pairs.filter { pair in !all.contains { $0.name == pair.name } }
        }
    }
}
