import ModuleFacts
import ModuleRules
import ModuleTree

struct TypeNames {
    /// A typealias, and the file and module that declare it.
    private struct Alias {
        let type: String
        let file: SourceFile
        let module: String
    }

    private let tree: Tree
    /// The modules that declare a type at the top level.
    private var modules: [String: [String]] = [:]
    /// The typealiases by qualified name, `Module.Name` or `Module.Type.Name`.
    private var aliases: [String: [Alias]] = [:]
    /// The qualified names of the typealiases inside types and functions, by `Module.Name`.
    private var nested: [String: Set<String>] = [:]

    /// The paths of the packages that declare `registerApi`. Rules ignore registration and lookup calls
    /// inside these packages, because those calls only forward types from their callers.
    private var registries: Set<String> = []
    /// The types that some target asks a registry for.
    private var requested: Set<String> = []

    init(_ tree: Tree) {
        self.tree = tree
        for package in tree.packages {
            for target in package.targets where target.kind != .test {
                for file in target.files {
                    for declaration in file.facts.declarations {
                        add(declaration, in: file, of: target.module, package)
                    }
                }
            }
        }
        for package in tree.packages where !registries.contains(package.path) {
            for target in package.targets where target.kind != .test && usesRegistry(target) {
                for file in target.files {
                    requested.formUnion(
                        file.facts.calls.filter(\.kind.isRequest).compactMap(\.type).map {
                            full($0, in: file, of: target.module)
                        })
                }
            }
        }
    }

    private mutating func add(
        _ declaration: SourceFacts.Declaration, in file: SourceFile, of module: String,
        _ package: LocalPackage
    ) {
        let (keyword, name, parent) = (declaration.keyword, declaration.name, declaration.parent)
        if keyword == "func", name == "registerApi", declaration.isPublic {
            registries.insert(package.path)
        }
        if keyword == "typealias", let type = declaration.literal {
            let full = [module, parent, name].compactMap(\.self).joined(separator: ".")
            aliases[full, default: []].append(Alias(type: type, file: file, module: module))
            if parent != nil { nested["\(module).\(name)", default: []].insert(full) }
        }
        if parent == nil, Self.typeKeywords.contains(keyword) { modules[name, default: []].append(module) }
    }

    /// The calls of a target's files. In targets that import no registry, other functions may have the same names, so
    /// requests and registrations count there only if they are of a type of an Api.
    func calls(in target: LocalTarget, of package: LocalPackage) -> [(
        file: SourceFile, calls: [SourceFacts.ApiUse]
    )] {
        if registries.contains(package.path) { return [] }
        let usesRegistry = usesRegistry(target)
        return target.files.map { file in
            let calls = file.facts.calls.filter {
                $0.kind == .module || isUse($0, in: file, of: target.module, usesRegistry)
            }
            return (file, calls)
        }
    }

    private func usesRegistry(_ target: LocalTarget) -> Bool {
        target.imports.contains { _, imported in
            imported.module == "ApiCenter"
                || tree.package(ofModule: imported.module).map { registries.contains($0.path) } ?? false
        }
    }

    /// Whether a call is one to a registry. Methods named `register` exist elsewhere too, so that call counts only for a
    /// type of an Api, or one that something asks for.
    private func isUse(
        _ call: SourceFacts.ApiUse, in file: SourceFile, of module: String, _ usesRegistry: Bool
    ) -> Bool {
        guard !usesRegistry || call.kind == .register, let written = call.type else { return usesRegistry }
        let type = full(written, in: file, of: module)
        return usesRegistry && requested.contains(type)
            || self.module(of: type).flatMap(tree.package(ofModule:))?.role == .api
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
        let outer = String(
            Substring(written.utf8.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ".") }))
        if written.hasPrefix(outer + "."), tree.package(ofModule: outer) != nil { return written }
        let candidates = modules[outer] ?? []
        let own = candidates.first { $0 == module }
        func isVisible(_ name: String) -> Bool { file.facts.imports.contains { $0.module == name } }
        if let owner = own ?? candidates.first(where: isVisible) ?? candidates.first {
            return owner + "." + written
        }
        guard let inner = nested["\(module).\(outer)"], inner.count == 1 else { return written }
        return inner.joined() + written.dropFirst(outer.count)
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
        let parts = (Self.wrapped(full) ?? full).split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 && tree.package(ofModule: parts[0]) != nil ? parts[0] : nil
    }
}

extension TypeNames: Derived {
    static func value(in context: RuleContext) -> TypeNames { TypeNames(context.tree) }
}

extension RuleContext {
    var types: TypeNames { get throws { try value(of: TypeNames.self) } }
}
