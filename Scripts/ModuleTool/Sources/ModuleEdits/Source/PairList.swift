import ModuleTree
import SwiftSyntax

/// The list of pairs in an app's manifest: `let pairs = [Pair("Business/Ride"), ...]`, one pair per line.
///
/// The Swift parser finds the list. Edits replace whole lines and leave the rest of the file unchanged.
struct PairList {
    struct Pair: Equatable {
        /// The IMP's folder as the list names it, relative to the app's folder of packages: `Business/Ride`.
        let path: String
        /// The IMP's folder: `Packages/Business/Ride`.
        let folder: String
        /// The pair whose Api an alternative implements; nil for a pair with its own Api.
        let alternativeTo: String?
        /// The trait that the pair shares with others; nil if the pair is a trait of its own.
        let sharedTrait: String?
        /// The pair's line in the manifest, counted from 1.
        let line: Int

        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
        /// The trait that adds the pair to an app.
        var trait: String { sharedTrait ?? name }
        /// The `#if` condition for code that needs the pair. A focus gives every pair a trait of its own.
        var condition: String { sharedTrait.map { "\($0) || \(name)" } ?? name }
    }

    private(set) var pairs: [Pair]
    let app: Configuration.App
    private var lines: [String]
    /// The line with the list's opening bracket, counted from 1.
    private let opening: Int

    init(_ manifest: String, of app: Configuration.App = .init()) throws(ToolError) {
        self.app = app
        func malformed(_ line: Int, _ what: String, fix: String? = nil) -> ToolError {
            Self.malformed(app, line, what, fix: fix)
        }
        let source = try SourceParser.tree(manifest, in: app.manifest)
        let converter = SourceLocationConverter(fileName: "", tree: source)
        func line(_ position: AbsolutePosition) -> Int { converter.location(for: position).line }

        // The parser skips code that it cannot read, and may skip a pair.
        guard !source.hasError else {
            let mistake = source.tokens(viewMode: .all).first {
                $0.hasError || $0.parent?.is(UnexpectedNodesSyntax.self) == true
            }
            throw malformed(
                mistake.map { line($0.positionAfterSkippingLeadingTrivia) } ?? 1,
                "it has a syntax error or an unresolved merge conflict.",
                fix: "Fix the file and run the command again.")
        }
        let list = source.statements.lazy.compactMap { $0.item.as(VariableDeclSyntax.self)?.bindings.first }
            .first { $0.pattern.trimmedDescription == "pairs" }?.initializer?.value.as(ArrayExprSyntax.self)
        guard let list else { throw malformed(1, "it has no list that begins with 'let pairs = ['.") }
        opening = line(list.leftSquare.endPositionBeforeTrailingTrivia)
        var pairs: [Pair] = []
        for element in list.elements {
            let start = line(element.positionAfterSkippingLeadingTrivia)
            guard let pair = Self.pair(element.expression, of: app, line: start) else {
                throw malformed(start, "'\(element.expression.trimmedDescription)' is not a pair.")
            }
            guard start > (pairs.last?.line ?? opening),
                line(element.endPositionBeforeTrailingTrivia) == start
            else { throw malformed(start, "a pair is not on a line of its own.") }
            guard Self.isIdentifier(pair.name) else {
                throw malformed(start, "the last part of '\(pair.path)' is not a valid module name.")
            }
            guard !pairs.contains(where: { $0.name == pair.name }) else {
                throw malformed(start, "\(pair.name) is listed twice.")
            }
            pairs.append(pair)
        }
        for pair in pairs {
            guard let trait = pair.sharedTrait else { continue }
            if !Self.isIdentifier(trait) || pairs.contains(where: { $0.name == trait }) {
                throw malformed(
                    pair.line, "the trait '\(trait)' is the name of a pair, or is not a valid name.",
                    fix: "Write another 'trait:' for \(pair.name).")
            }
            if pairs.contains(where: { $0.alternativeTo == pair.name }) || pair.alternativeTo != nil {
                throw malformed(
                    pair.line, "a pair and its alternative cannot share their traits with others.",
                    fix: "Remove 'trait:' from \(pair.name).")
            }
        }
        self.pairs = pairs
        lines = manifest.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    private static func pair(_ expression: ExprSyntax, of app: Configuration.App, line: Int) -> Pair? {
        guard let call = expression.as(FunctionCallExprSyntax.self),
            call.calledExpression.trimmedDescription == "Pair"
        else { return nil }
        var path: String?
        var alternativeTo: String?
        var trait: String?
        for argument in call.arguments {
            let text = argument.expression.literal
            switch argument.label?.text {
            case nil: path = text
            case "alternativeTo": alternativeTo = text
            case "trait": trait = text
            default: return nil
            }
            if text == nil { return nil }
        }
        return path.map {
            Pair(
                path: $0, folder: PathText.join(app.packages, $0), alternativeTo: alternativeTo,
                sharedTrait: trait, line: line)
        }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        name.first?.isNumber == false && name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    }

    private static func malformed(
        _ app: Configuration.App, _ line: Int, _ what: String, fix: String? = nil
    ) -> ToolError {
        ToolError(
            .configuration, at: "\(app.manifest):\(line)", "the app's manifest cannot be edited: \(what)",
            why: "The app is built from this list, which has one pair per line.",
            fix: fix ?? "Write 'let pairs = [', one line 'Pair(\"Business/Ride\"),' for each pair, and ']'.")
    }

    /// The manifest's text, with the changes made so far.
    var text: String { lines.joined(separator: "\n") }

    /// Adds the pair whose IMP has this folder, at its place in the sorted list.
    mutating func add(
        folder: String, alternativeTo: String? = nil, trait: String? = nil
    ) throws(ToolError) {
        let path = PathText.path(to: folder, from: app.packages)
        let index = pairs.firstIndex { $0.path > path } ?? pairs.count
        // Insert below the previous pair, so that a comment above the next pair stays with that pair.
        let line = index == 0 ? opening : pairs[index - 1].line
        let options =
            (alternativeTo.map { ", alternativeTo: \"\($0)\"" } ?? "")
            + (trait.map { ", trait: \"\($0)\"" } ?? "")
        if index > 0, !Self.hasComma(lines[line - 1]) {
            throw Self.malformed(app, line, "there is no comma after the last pair.")
        }
        lines.insert("    Pair(\"\(path)\"\(options)),", at: line)
        self = try PairList(text, of: app)
        guard Set(pairs.map(\.trait)).count < 300 else {
            throw ToolError(
                .configuration, at: app.manifest,
                "the app would have more than 299 pairs with their own traits.",
                why: "SwiftPM accepts at most 300 traits in a package, and 'default' is one of them.",
                fix:
                    "Make pairs share traits, as in 'Pair(\"\(path)\", trait: \"Group\")', and write 'trait: layer' or "
                    + "'trait: folder' for the app in \(Configuration.path).")
        }
    }

    private static func hasComma(_ line: String) -> Bool {
        (line.split(separator: "//").first ?? "").contains("),")
    }

    mutating func remove(_ name: String) throws(ToolError) {
        guard let pair = pairs.first(where: { $0.name == name }) else { return }
        lines.remove(at: pair.line - 1)
        self = try PairList(text, of: app)
    }

    /// The lines outside the list that contain a string literal whose last path component is one of these names.
    func lines(naming names: Set<String>) -> [Int] {
        lines.enumerated().filter { index, line in
            !pairs.contains { $0.line == index + 1 }
                && line.matches(of: /"(?:[^"]*\/)?(\w+)"/).contains { names.contains(String($0.1)) }
        }.map { $0.offset + 1 }
    }
}

extension [PairList] {
    /// The pair with the given name, which must exist.
    func pair(_ name: String) throws(ToolError) -> PairList.Pair {
        let pairs = pairs
        if let pair = pairs.first(where: { $0.name == name }) { return pair }
        throw ToolError(
            .configuration, at: first?.app.manifest, "there is no pair named \(name).",
            fix: Spelling.choice(for: name, among: pairs.map(\.name)))
    }

    /// The pairs of all lists, each once.
    var pairs: [PairList.Pair] {
        reduce(into: []) { all, list in
            all += list.pairs.filter { pair in !all.contains { $0.name == pair.name } }
        }
    }
}
