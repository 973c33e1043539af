import ModuleTree

struct TypeNames {
    /// A typealias, and the file and module that declare it.
    private struct Alias {
        let type: String
        let file: SourceFile
        let module: String
    }

    private let modules: [String: [String]]
    private let isModule: Set<String>
    /// The modules of Apis.
    private let apis: Set<String>

    /// The typealiases by qualified name, `Module.Name` or `Module.Type.Name`.
    private let aliases: [String: [Alias]]
    /// The qualified names of the typealiases inside types and functions, by `Module.Name`.
    private let nested: [String: [String]]

    /// The paths of the packages that declare `registerApi`. Rules ignore registration and lookup calls
    /// inside these packages, because those calls only forward types from their callers.
    let registries: Set<String>
    private let registryModules: Set<String>
    /// The names of the types that declare `registerApi`.
    private let registryTypes: Set<String>

    init(_ tree: Tree) {
        var modules: [String: [String]] = [:]
        var registries: Set<String> = []
        var registryTypes: Set = ["ApiCenter", "ApiCenterProtocol"]
        var aliases: [String: [Alias]] = [:]
        var nested: [String: [String]] = [:]
        for package in tree.packages {
            for target in package.targets where target.kind != .test {
                for file in target.files {
                    for declaration in file.facts.declarations {
                        let (name, parent) = (declaration.name, declaration.parent)
                        if declaration.keyword == "func", name == "registerApi", declaration.isPublic {
                            registries.insert(package.path)
                            if let parent { registryTypes.insert(parent) }
                        }
                        if declaration.keyword == "typealias", let type = declaration.literal {
                            let full = [target.name, parent, name].compactMap(\.self).joined(separator: ".")
                            aliases[full, default: []].append(
                                Alias(type: type, file: file, module: target.name))
                            if parent != nil { nested["\(target.name).\(name)", default: []].append(full) }
                        }
                        if parent == nil, Self.typeKeywords.contains(declaration.keyword) {
                            modules[name, default: []].append(target.name)
                        }
                    }
                }
            }
        }
        self.modules = modules.mapValues { $0.count == 1 ? $0 : $0.sorted() }
        (self.registries, self.aliases, self.nested) = (registries, aliases, nested)
        self.registryTypes = registryTypes
        registryModules = Set(
            tree.packages.filter { registries.contains($0.path) }.flatMap { $0.targets.map(\.module) } + [
                "ApiCenter"
            ])
        apis = Set(tree.packages.filter { $0.role == .api }.flatMap { $0.targets.map(\.name) })
        isModule = Set(tree.packages.flatMap { $0.targets.map(\.name) })
    }

    /// The calls of a target's files. Requests and registrations count only in targets that import a registry, because
    /// other functions may have the same names.
    func calls(in target: LocalTarget, of package: LocalPackage) -> [(
        file: SourceFile, calls: [SourceFacts.ApiUse]
    )] {
        if registries.contains(package.path) { return [] }
        let usesRegistry = target.files.contains { file in
            file.facts.imports.contains { registryModules.contains($0.module) }
        }
        return target.files.map { file in
            (
                file,
                file.facts.calls.filter {
                    $0.kind == .module || usesRegistry && isUse($0, in: file, of: target.name)
                }
            )
        }
    }

    /// Whether a call's receiver is a registry, or may be one. Without its type, only the protocol of an Api tells.
    private func isUse(_ call: SourceFacts.ApiUse, in file: SourceFile, of module: String) -> Bool {
        func full(_ name: String) -> String { self.full(name, in: file, of: module) }
        guard let receiver = call.receiver else {
            return call.type.flatMap { self.module(of: full($0)) }.map(apis.contains) ?? false
        }
        let type = full(receiver)
        return registryTypes.contains(type.split(separator: ".").last.map(String.init) ?? type)
    }

    private static let typeKeywords: Set = ["protocol", "struct", "class", "enum", "actor", "typealias"]

    /// Qualifies a type name from a file as `Module.Type`, and replaces typealiases. The name is returned
    /// unchanged if no package of the tree declares the type.
    func full(_ written: String, in file: SourceFile, of module: String) -> String {
        if let inner = Self.wrapped(written) { return "Optional<\(full(inner, in: file, of: module))>" }
        var name = qualified(written, in: file, of: module)
        var seen: Set<String> = []
        while seen.insert(name).inserted, let (alias, rest) = alias(name, in: file) {
            name = qualified(alias.type + rest, in: alias.file, of: alias.module)
        }
        return name
    }

    private func qualified(_ written: String, in file: SourceFile, of module: String) -> String {
        let first = written.utf8.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ".") }
        let outer = String(Substring(first))
        if isModule.contains(outer), written.utf8.dropFirst(first.count).first == UInt8(ascii: ".") {
            return written
        }
        let candidates = modules[outer] ?? []
        func isVisible(_ name: String) -> Bool { file.facts.imports.contains { $0.module == name } }
        guard
            let owner = candidates.first(where: { $0 == module })
                ?? candidates.first(where: isVisible) ?? candidates.first
        else {
            guard let inner = nested["\(module).\(outer)"], Set(inner).count == 1 else { return written }
            return inner[0] + written.dropFirst(outer.count)
        }
        return owner + "." + written
    }

    /// The typealias at the beginning of a qualified name, and the rest of the name; nil if the name does not
    /// begin with a typealias, or if that typealias is declared for different types (for example, under
    /// `#if`).
    private func alias(_ full: String, in file: SourceFile) -> (Alias, rest: Substring)? {
        var end = full.firstIndex(of: "<") ?? full.endIndex
        while true {
            if let found = aliases[String(full[..<end])] {
                let own = found.filter { $0.file.path == file.path }
                let meant = own.isEmpty ? found : own
                return Set(meant.map(\.type)).count == 1 ? (meant[0], full[end...]) : nil
            }
            guard let dot = full[..<end].lastIndex(of: ".") else { return nil }
            end = dot
        }
    }

    /// The name `X` in `Optional<X>`; nil for all other types.
    static func wrapped(_ type: String) -> String? {
        type.hasPrefix("Optional<") ? String(type.dropFirst("Optional<".count).dropLast()) : nil
    }

    /// The module in a name from ``full(_:in:of:)``; nil if the name is not qualified.
    func module(of full: String) -> String? {
        (Self.wrapped(full) ?? full).split(separator: ".").first.map(String.init).flatMap {
            isModule.contains($0) && full.contains(".") ? $0 : nil
        }
    }
}
