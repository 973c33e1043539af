/// Changes of protocols, enums and Codable types.
extension SurfaceComparison {
    /// The requirements with the path of a protocol's requirement, in the protocol and those that it inherits.
    func requirements(
        like declaration: Declaration, in surface: ApiSurface, _ on: Set<String>
    ) -> [Declaration] {
        guard let parent = declaration.parent else { return [] }
        let member = declaration.path.dropFirst(parent.count)
        return surface.protocols(of: parent).flatMap { surface[$0 + member] }.filter {
            $0.isRequirement && $0.condition.holds(on)
        }
    }

    /// Whether the protocol of a requirement, or one that it inherits, has a default implementation for it.
    func hasDefault(_ declaration: Declaration, _ on: Set<String>) -> Bool {
        guard let parent = declaration.parent else { return false }
        let member = declaration.path.dropFirst(parent.count)
        return new.protocols(of: parent).flatMap { new["extension " + $0 + member] }.contains {
            $0.condition.holds(on) && $0.implements(declaration, on: new["the package"].first)
        }
    }

    mutating func compareNames(_ before: Declaration, _ now: Declaration, _ on: Set<String>) {
        let path = now.path
        guard now.isProtocol else {
            let isOrdered =
                !old["conformance of \(path) to CaseIterable"].isEmpty && new[path + ".allCases"].isEmpty
                || !old["conformance of \(path) to Comparable"].isEmpty && new[path + ".<(_:_:)"].isEmpty
            if isOrdered, before.names.filter(now.names.contains) != now.names.filter(before.names.contains) {
                add("the order of the cases of \(path) has changed", at: now)
            }
            return
        }
        add(now)
        let inherited = (Set(old.protocols(of: path)), Set(new.protocols(of: path)))
        for name in inherited.0.subtracting(inherited.1).sorted() {
            add("\(path) no longer inherits \(name)", at: now)
        }
        for name in inherited.1.subtracting(inherited.0).sorted() {
            // A requirement may move to a protocol that the old one inherits.
            let isKnown = new[name].contains(where: \.isProtocol)
            let lacking = new.declarations.values.joined().filter {
                $0.parent == name && $0.isRequirement
            }
            .filter { requirement in
                let moved = requirement.moved(from: name, to: path)
                return !requirements(like: moved, in: old, on).contains { $0.shape == requirement.shape }
                    && !hasDefault(moved, on)
            }
            if !isKnown || !lacking.isEmpty {
                add("\(path) inherits \(name), which conforming types may lack", at: now)
            }
        }
    }

    /// Compares what a Codable type encodes. A property that is optional may be missing.
    mutating func compareEncoded(_ before: [String: String], _ now: [String: String], of type: Declaration) {
        func isOnly(_ name: String, not other: String) -> Bool {
            !new["conformance of \(type.path) to \(name)"].isEmpty
                && new["conformance of \(type.path) to \(other)"].isEmpty
        }
        func mayLack(_ value: String) -> Bool { value.hasSuffix("?") || value.contains(": Optional<") }
        for name in Set(before.keys).union(now.keys).sorted() where before[name] != now[name] {
            let path = "\(type.path).\(name)"
            // Callers see the change of a public property too.
            if !old[path].isEmpty, old[path].map(\.shape) != new[path].map(\.shape) { continue }
            switch (before[name], now[name]) {
            case (let old?, let new?):
                add("\(type.path) encodes \(name) as `\(new)` instead of `\(old)`", at: type)
            case (let old?, nil) where !mayLack(old) && !isOnly("Decodable", not: "Encodable"):
                add("\(type.path) no longer encodes \(name) as `\(old)`", at: type)
            case (nil, let new?)
            where !mayLack(new) && !name.contains("CodingKeys.") && !isOnly("Encodable", not: "Decodable"):
                add("\(type.path) decodes \(name) as `\(new)`, which it did not encode before", at: type)
            default: break
            }
        }
    }
}
