import Foundation

/// The declarations in a dump of `swift-api-digester`.
struct SurfaceNodes {
    /// One line for each declaration, with all its attributes. Equal lines mean an equal surface.
    private(set) var lines: [String] = []

    /// The paths of the deprecated declarations, such as `RideApiProtocol.rides(limit:)`, and of all
    /// declarations inside them.
    private(set) var deprecated: Set<String> = []

    /// The mangled names by declaration, such as `Func RideApiProtocol.rides(limit:)`. A mangled name
    /// contains the whole type. Overloads share an entry.
    private var types: [String: Set<String>] = [:]

    init(_ path: String) throws {
        guard
            let dump = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
                as? [String: Any], let root = dump["ABIRoot"] as? [String: Any]
        else {
            throw TreeError(
                .environment, path, what: "is not a dump of swift-api-digester",
                why: "the dump format may have changed with the Swift version",
                mend: "update ModuleTree/SurfaceNodes.swift")
        }
        add(root, path: [], isDeprecated: false)
        lines.sort()
    }

    private mutating func add(_ node: [String: Any], path: [String], isDeprecated: Bool) {
        // Imports are not part of the surface.
        if node["kind"] as? String == "Import" { return }
        let isRoot = node["kind"] as? String == "Root"
        let isDeclaration = node["declKind"] != nil
        let name = node["printedName"] as? String ?? ""
        let own = isRoot || !isDeclaration ? path : path + [name]
        let deprecated = isDeprecated || node["deprecated"] as? Bool ?? false
        if deprecated, isDeclaration { self.deprecated.insert(own.joined(separator: ".")) }
        if isDeclaration, let kind = node["declKind"] as? String, kind != "Accessor" {
            let type = node["mangledName"] as? String ?? ""
            types[kind + " " + own.joined(separator: "."), default: []].insert(type)
        }
        let rest = node.filter { key, _ in key != "children" && key != "conformances" && key != "accessors" }
            .map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        lines.append(own.joined(separator: ".") + " " + rest)
        for key in ["children", "conformances", "accessors"] {
            for child in node[key] as? [[String: Any]] ?? [] {
                add(child, path: own, isDeprecated: deprecated)
            }
        }
    }

    /// The declarations that kept their name but changed their type, for example because a function is now
    /// `async` or a closure is now `@Sendable`. The digester does not report these changes as breaking.
    func retyped(since old: SurfaceNodes) -> [String] {
        old.types.filter { types[$0.key].map($0.value.isSubset) == false }.keys.sorted()
            .map { "\($0) has changed its type" }
    }

    /// The removed declarations, without the members of removed types.
    func removed(since old: SurfaceNodes) -> [String] {
        let gone = old.types.keys.filter { types[$0] == nil }
        let paths = Set(gone.compactMap { $0.split(separator: " ", maxSplits: 1).last.map(String.init) })
        return gone.filter { declaration in
            guard let dot = declaration.lastIndex(of: "."), let space = declaration.firstIndex(of: " ") else {
                return true
            }
            return !paths.contains(String(declaration[..<dot][declaration.index(after: space)...]))
        }.sorted().map { "\($0) has been removed" }
    }
}
