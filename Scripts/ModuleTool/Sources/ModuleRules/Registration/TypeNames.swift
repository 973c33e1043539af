import ModuleTree

/// Which module declares a type that a file names.
struct TypeNames {
    private let modules: [String: [String]]
    private let isModule: Set<String>

    /// The paths of the packages that declare the registry itself: their calls pass on others' types.
    let machinery: Set<String>

    init(_ tree: Tree) {
        var modules: [String: Set<String>] = [:]
        var machinery: Set<String> = []
        for package in tree.packages {
            for target in package.targets where target.kind != .test {
                for declaration in target.files.lazy.flatMap({ tree.files[$0].facts.declarations }) {
                    if declaration.keyword == "func", declaration.name == "registerApi", declaration.isPublic
                    {
                        machinery.insert(package.path)
                    }
                    if declaration.parent == nil, Self.typeKeywords.contains(declaration.keyword) {
                        modules[declaration.name, default: []].insert(target.name)
                    }
                }
            }
        }
        self.modules = modules.mapValues { $0.sorted() }
        self.machinery = machinery
        isModule = Set(tree.packages.flatMap { $0.targets.map(\.name) })
    }

    private static let typeKeywords: Set = ["protocol", "struct", "class", "enum", "actor", "typealias"]

    /// `Module.Type` for a type as a file writes it; only the type where nobody in the tree declares it.
    func full(_ written: String, in file: SourceFile, of module: String) -> String {
        if let first = written.split(separator: ".").first, first.count < written.count,
            isModule.contains(String(first))
        {
            return written
        }
        let outer = String(written.prefix { $0 != "<" && $0 != "." })
        let candidates = modules[outer] ?? []
        let visible = Set(file.facts.imports.map(\.module) + [module])
        guard
            let owner = candidates.first(where: { $0 == module })
                ?? candidates.first(where: visible.contains) ?? candidates.first
        else { return written }
        return owner + "." + written
    }

    /// The module of a name that ``full(_:in:of:)`` made; nil when nobody in the tree declares it.
    func module(of full: String) -> String? {
        full.split(separator: ".").first.map(String.init).flatMap {
            isModule.contains($0) && full.contains(".") ? $0 : nil
        }
    }
}
