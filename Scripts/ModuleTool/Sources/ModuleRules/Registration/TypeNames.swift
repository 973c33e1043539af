import ModuleTree

/// Finds the module that declares a type.
struct TypeNames {
    private let modules: [String: [String]]
    private let isModule: Set<String>

    /// The paths of the packages that declare `registerApi`. Rules ignore the calls inside these packages,
    /// because the calls only pass on types from callers.
    let machinery: Set<String>

    init(_ tree: Tree) {
        var modules: [String: [String]] = [:]
        var machinery: Set<String> = []
        for package in tree.packages {
            for target in package.targets where target.kind != .test {
                for declaration in target.files.lazy.flatMap({ tree.files[$0].facts.declarations }) {
                    if declaration.keyword == "func", declaration.name == "registerApi", declaration.isPublic
                    {
                        machinery.insert(package.path)
                    }
                    if declaration.parent == nil, Self.typeKeywords.contains(declaration.keyword) {
                        modules[declaration.name, default: []].append(target.name)
                    }
                }
            }
        }
        self.modules = modules.mapValues { $0.count == 1 ? $0 : $0.sorted() }
        self.machinery = machinery
        isModule = Set(tree.packages.flatMap { $0.targets.map(\.name) })
    }

    private static let typeKeywords: Set = ["protocol", "struct", "class", "enum", "actor", "typealias"]

    /// Qualifies a type name from a file as `Module.Type`. The name is returned unchanged if no package of
    /// the tree declares the type.
    func full(_ written: String, in file: SourceFile, of module: String) -> String {
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
        else { return written }
        return owner + "." + written
    }

    /// The module in a name from ``full(_:in:of:)``; nil if the name is not qualified.
    func module(of full: String) -> String? {
        full.split(separator: ".").first.map(String.init).flatMap {
            isModule.contains($0) && full.contains(".") ? $0 : nil
        }
    }
}
