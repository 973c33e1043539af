import ModuleKit

/// What the Codable types of a module encode, by the code that the compiler writes for them. Other processes, and newer
/// versions, read what a version has encoded.
struct EncodedForms {
    /// The stored properties of each type, each with its type.
    private var properties: [String: [String: String]] = [:]
    /// The types that the properties and cases of each type name, and what each hidden alias stands for.
    private var named: [String: [String]] = [:]
    /// The cases of each enum, each with its raw value or name, and its payload.
    private var cases: [String: [String: String]] = [:]
    /// The paths of the functions by which types encode and decode themselves.
    private var functions: Set<String> = []
    /// The types and type aliases that callers cannot name.
    private var hidden: Set<String> = []
    private let codable: Set<String>

    init(of declarations: [ApiSurface.Declaration], conforming codable: Set<String>) {
        self.codable = codable
        if codable.isEmpty { return }
        for declaration in declarations {
            let parent = declaration.parent ?? ""
            if let type = declaration.storedType {
                properties[parent, default: [:]][declaration.name] = type
                named[parent, default: []].append(type)
            } else if declaration.kind == .enumCase {
                let payload = declaration.parameters.map { "\($0.label): \($0.type)" }.joined(separator: ", ")
                cases[parent, default: [:]][declaration.name] =
                    (declaration.values[ApiSurface.Declaration.rawValue] ?? "\"\(declaration.name)\"")
                    + (payload.isEmpty ? "" : "(\(payload))")
                named[parent, default: []] += declaration.parameters.map(\.type)
            } else if declaration.isType || declaration.kind == .alias, !declaration.isVisible {
                hidden.insert(declaration.path)
                if declaration.kind == .alias { named[declaration.path] = declaration.bases }
            } else if ["init(from:)", "encode(to:)"].contains(declaration.path.dropFirst(parent.count + 1)) {
                functions.insert(declaration.path)
            }
        }
    }

    /// What a type and the hidden types of its properties encode: each property with its key and its type, and the keys
    /// of code that the compiler does not write. Nil if the type is not Codable.
    func form(of path: String) -> [String: String]? {
        guard codable.contains(path) else { return nil }
        var form = ownForm(of: path)
        for type in reachable(from: [path], hiddenTypes).dropFirst() {
            for (name, value) in ownForm(of: type).merging(cases[type] ?? [:], uniquingKeysWith: { $1 }) {
                form["\(type).\(name)"] = value
            }
            if properties[type] == nil, cases[type] == nil { form[type] = named[type]?.joined() }
        }
        return form
    }

    private func isWritten(_ path: String) -> Bool {
        functions.isSuperset(of: [path + ".init(from:)", path + ".encode(to:)"])
    }

    private func ownForm(of path: String) -> [String: String] {
        let (isWritten, keys) = (isWritten(path), cases[path + ".CodingKeys"])
        var form: [String: String] = [:]
        for (name, type) in properties[path] ?? [:] where !isWritten {
            guard let key = keys.map({ $0[name] }) ?? "\"\(name)\"" else { continue }
            form[name] = "\(key): \(type)"
        }
        for (name, keys) in cases where name.hasPrefix(path + ".") && name.hasSuffix("CodingKeys") {
            for (key, value) in keys where isWritten || properties[path]?[key] == nil {
                form["\(name.dropFirst(path.count + 1)).\(key)"] = value
            }
        }
        return form
    }

    private func hiddenTypes(in path: String) -> [String] {
        if isWritten(path) { return [] }
        return (named[path] ?? []).flatMap { type in
            type.matches(of: /\w+(?:\.\w+)*/).compactMap { name in
                path.paths(of: String(name.output)).first(where: hidden.contains)
            }
        }
    }
}

extension String {
    /// The paths that a name may stand for inside the type with this path: in the type, and in those around it, from the
    /// inside out; at last, at the top level.
    func paths(of name: String) -> [String] {
        sequence(first: self) { inner in
            inner.isEmpty ? nil : String(inner[..<(inner.lastIndex(of: ".") ?? inner.startIndex)])
        }.map { $0.isEmpty ? name : $0 + "." + name }
    }
}
