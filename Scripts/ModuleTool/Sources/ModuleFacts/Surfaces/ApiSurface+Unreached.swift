import ModuleKit

extension ApiSurface {
    /// The public types that no signature leads to, by name.
    ///
    /// A signature leads to a type if it names the type, or names a type whose members lead to it, or a protocol to
    /// which the type conforms. The search starts at `main`, at the protocols that no other type names, and at the
    /// errors, because an untyped `throws` names none. A type without instances only holds names, and needs no
    /// signature.
    ///
    /// - Parameter foreign: The protocols of other modules through which a signature leads to the types that conform to them.
    package func unreached(from main: String, throughForeign foreign: [String] = []) -> [String] {
        var words: [String: Set<String>] = [:]
        /// The types that conform to a protocol, of this Api or of the standard library.
        var conforming: [String: Set<String>] = [:]
        var instances: Set<String> = []
        var roots: Set = [main]
        var protocols: Set<String> = []
        for (path, found) in declarations {
            for declaration in found {
                let owner = Self.top(declaration.extended ?? declaration.parent ?? path)
                if declaration.kind == .conformance {
                    for name in declaration.names {
                        if name == "Error" { roots.insert(owner) }
                        conforming[Self.top(name), default: []].insert(owner)
                    }
                    continue
                }
                words[owner, default: []].formUnion(declaration.mentions)
                // A notification carries its payload past all signatures.
                let isNotification =
                    declaration.mentions.contains("Name")
                    && !declaration.mentions.isDisjoint(with: ["Notification", "NSNotification"])
                if declaration.parent != nil, isNotification { roots.insert(owner) }
                if declaration.parent == nil, declaration.kind == .protocol { protocols.insert(owner) }
                let isName =
                    declaration.parent == nil || declaration.modifiers.contains("static") || declares(path)
                if !isName { instances.insert(owner) }
            }
        }
        // A signature that names a protocol of the Api leads to the Api's types that conform to it. All types conform to
        // `Sendable`, which leads nowhere.
        for name in protocols.union(foreign) {
            words[name, default: []].formUnion(conforming[name, default: []])
        }
        for name in protocols where !words.contains(where: { $0.key != name && $0.value.contains(name) }) {
            roots.insert(name)
        }
        let reached = reachable(from: Array(roots)) { Array(words[$0, default: []]) }
        let types = Set(declarations.filter { !$0.key.contains(".") && declares($0.key) }.keys).intersection(
            instances)
        return types.union(protocols).subtracting(reached).sorted()
    }

    private static func top(_ path: String) -> String { String(path.prefix { $0 != "." }) }
}
