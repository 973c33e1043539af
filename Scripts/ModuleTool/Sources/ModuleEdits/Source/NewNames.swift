import ModuleTree
import SwiftSyntax

/// The names that a pair has before and after it is renamed.
struct NewNames {
    let old: String
    let new: String
    /// The name of the folder that contains the pair's packages, followed by a slash: `Business/`.
    private let layer: String
    /// The property that `new-module` generates in callers, which returns the pair's Api: `rideApi`.
    let property: (old: String, new: String)
    /// The modules of the pair: `Ride`, `RideApi`, `RideTests`.
    private(set) var modules: Set<String>
    /// All top-level declarations of the pair.
    private(set) var declared: Set<String> = []
    /// The new names of modules and of types, such as `RideModule`. Contains the pair's own name only if a type has
    /// this name too.
    private(set) var names: [String: String] = [:]
    /// Whether the pair's name is replaced in comments and documents. False if the new name already occurs there,
    /// because the two could not be told apart afterwards.
    var includesProse = true

    init(
        _ old: String, to new: String, in folder: String, of packages: [LocalPackage],
        _ configuration: Configuration
    ) {
        (self.old, self.new) = (old, new)
        layer = (folder.split(separator: "/").dropLast().last ?? ".") + "/"
        property = (
            ModuleTemplates.property(configuration.api(old)), ModuleTemplates.property(configuration.api(new))
        )
        let manifests = packages.map(\.manifest)
        modules = Set(
            manifests.flatMap { [$0.name] + $0.targets.map(\.name) + $0.products.map(\.name) })
        for module in modules where module != old { add(module) }
    }

    /// Adds the top-level declarations of a file of the pair.
    mutating func add(declarations file: SourceFileSyntax) {
        for name in Self.declarations(file.statements) {
            declared.insert(name)
            add(name)
        }
    }

    private static func declarations(_ statements: CodeBlockItemListSyntax) -> [String] {
        statements.flatMap { statement -> [String] in
            if let named = statement.item.asProtocol((any NamedDeclSyntax).self) { return [named.name.text] }
            let clauses = statement.item.as(IfConfigDeclSyntax.self)?.clauses
            return clauses?.flatMap { $0.elements?.as(CodeBlockItemListSyntax.self).map(declarations) ?? [] }
                ?? []
        }
    }

    /// Adds a name if it begins with the pair's name as a word: `RideCode` does, `Rides` does not.
    private mutating func add(_ name: String) {
        guard name.hasPrefix(old), name.dropFirst(old.count).first?.isLowercase != true else { return }
        names[name] = new + name.dropFirst(old.count)
    }

    /// The new path of a folder of one of the pair's packages, relative to the root.
    func folder(_ folder: String) -> String {
        let (parent, name) = PathText.split(folder)
        return PathText.join(parent, path(name[...]))
    }

    /// The new path of a file or folder of the pair, relative to the folder of its package.
    func path(_ path: Substring) -> String {
        path.split(separator: "/").map { part in
            // A file may be named after a type, with an addition: `Ride+Codes.swift`.
            let stem = part.prefix { $0 != "." && $0 != "+" }
            let name = stem == old ? new : names[String(stem)]
            return name.map { $0 + part.dropFirst(stem.count) } ?? String(part)
        }.joined(separator: "/")
    }

    // MARK: Text

    /// The text with the new names of types and modules.
    ///
    /// - Parameters:
    ///   - hidden: The names that mean something else in this text.
    ///   - isProse: Whether to replace the pair's name everywhere, not only in paths.
    func replaced(in text: String, except hidden: Set<String> = [], isProse: Bool) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: Self.isPartOfName) {
            let end = rest[start...].firstIndex { !Self.isPartOfName($0) } ?? rest.endIndex
            let word = String(rest[start..<end])
            result += rest[..<start]
            if word == old, !hidden.contains(old) {
                result += isPair(text[..<start], text[end...], isProse: isProse) ? new : word
            } else {
                result += hidden.contains(word) ? word : names[word] ?? word
            }
            rest = rest[end...]
        }
        return result + rest
    }

    /// The text with the new names in the paths of the pair's files.
    func replacedInPaths(of text: String) -> String {
        func isPart(_ character: Character) -> Bool {
            Self.isPartOfName(character) || "/.+-@".contains(character)
        }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: isPart) {
            let end = rest[start...].firstIndex { !isPart($0) } ?? rest.endIndex
            let path = String(rest[start..<end])
            let isOurs = ["\(layer)\(old)", "../\(old)"].contains(where: path.contains)
            result += rest[..<start] + (isOurs ? replaced(in: path, isProse: false) : path)
            rest = rest[end...]
        }
        return result + rest
    }

    /// The text of a settings file, in which lines with certain entries, such as `use: Ride`, name the pair.
    func replaced(in text: String, entries: [String]) -> String {
        var names = self
        names.includesProse = true
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            names.replaced(in: String(line), isProse: entries.contains(where: line.contains))
        }.joined(separator: "\n")
    }

    /// Whether a text contains a name as a word.
    static func contains(_ text: String, _ name: String) -> Bool {
        text.contains(name) && text.split { !isPartOfName($0) }.contains { $0 == name }
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character == "_" || character.isLetter || character.isNumber
    }

    /// Whether an occurrence of the pair's name refers to the pair, given the text before and after it.
    private func isPair(_ head: Substring, _ tail: Substring, isProse: Bool) -> Bool {
        // In a header such as `User-Agent`, `User` is not the pair.
        if head.hasSuffix("-") || tail.hasPrefix("-") { return false }
        let isPath =
            [layer, "../", "Sources/"].contains(where: head.hasSuffix) || tail.hasPrefix("/\(old)")
        let member = tail.dropFirst().prefix(while: Self.isPartOfName)
        let isQualifier = tail.hasPrefix(".") && declared.contains(String(member))
        return isPath || isQualifier || isProse && includesProse && !head.hasSuffix("/")
    }
}
