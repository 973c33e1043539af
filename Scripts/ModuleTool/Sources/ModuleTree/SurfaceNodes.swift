import Foundation

/// The declarations of a digester's dump.
struct SurfaceNodes {
    /// A line for each declaration with all that is known of it: equal lines, equal surface.
    private(set) var lines: [String] = []

    /// The paths (`RideApiProtocol.rides(limit:)`) of what is deprecated, itself or by what it is in.
    private(set) var deprecated: Set<String> = []

    /// What is declared (`Func RideApiProtocol.rides(limit:)`), with the mangled name, which has the whole type; of
    /// overloads all.
    private var types: [String: Set<String>] = [:]

    init(_ path: String) throws {
        guard
            let dump = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
                as? [String: Any], let root = dump["ABIRoot"] as? [String: Any]
        else {
            throw TreeError(
                .environment, path, what: "is no dump of swift-api-digester",
                why: "its form may have changed with the Swift version",
                mend: "see ModuleTree/SurfaceNodes.swift")
        }
        add(root, path: [], isDeprecated: false)
        lines.sort()
    }

    private mutating func add(_ node: [String: Any], path: [String], isDeprecated: Bool) {
        // What a file imports is not offered to callers.
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

    /// What is declared as before, but with another type: `async`, `throws`, a closure that is now `@Sendable`. The
    /// digester takes these for no break.
    func retyped(since old: SurfaceNodes) -> [String] {
        old.types.filter { types[$0.key].map($0.value.isSubset) == false }.keys.sorted()
            .map { "\($0) has changed its type" }
    }

    /// What is declared no more, without what went with that.
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
