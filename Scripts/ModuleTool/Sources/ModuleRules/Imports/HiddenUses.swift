import Foundation
import ModuleTree

/// Finds the uses of dependencies that no import shows.
///
/// Reads files only for dependencies that no file imports, so checking a tree without findings costs nothing.
struct HiddenUses {
    private let tree: Tree
    private let graph: TargetGraph

    init(_ tree: Tree) { (self.tree, graph) = (tree, TargetGraph(tree)) }

    /// Whether imports cannot show what a target uses: a plugin generates some of its code, `.modules.yml` excludes
    /// some of its files, compiler flags rename the imported modules, or the target looks code up by name.
    func isOpaque(_ target: LocalTarget) -> Bool {
        target.kind == .plugin || target.declaration.renamesModules
            || target.dependencies.contains(where: \.isPlugin)
            || (tree.configuration?.exclude ?? []).contains {
                (target.folder + "/").hasPrefix($0 + "/") || $0.hasPrefix(target.folder + "/")
            }
            || contains(target) { !$0.isDisjoint(with: Self.lookUps) }
    }

    /// Whether a target contains `#if canImport(module)` without importing the module.
    func isTested(_ module: String, by target: LocalTarget) -> Bool {
        contains(target) { $0.contains("canImport") && $0.contains(module[...]) }
    }

    /// Whether other targets may use a target without importing a module of its name: the target is not a Swift
    /// library, has resources, or defines symbols that code in other modules can find by name.
    func isUsableWithoutImport(_ target: LocalTarget) -> Bool {
        target.kind != .regular || target.files.isEmpty || target.declaration.renamesModules
            || target.dependencies.contains(where: \.isPlugin) || hasOtherFiles(target)
            || contains(target) { !$0.isDisjoint(with: Self.definitions) }
    }

    /// Whether the tree builds and works without a dependency that its target does not import. That is so if the tool
    /// knows all code that the dependency links, and no target gets any of this code through the dependency alone.
    func isUnneeded(_ dependency: Manifest.TargetDependency, of target: LocalTarget, in package: LocalPackage)
        -> Bool
    {
        guard let start = index(of: target) else { return false }
        let provided = tree.targets(of: dependency, in: package).compactMap(index)
        let linked = reachable(from: provided) { targets(of: $0) }
        let isKnown = linked.allSatisfy { index in
            let node = graph.nodes[index]
            return !isUsableWithoutImport(node.target)
                && node.target.dependencies.allSatisfy { !tree.targets(of: $0, in: node.package).isEmpty }
        }
        guard !provided.isEmpty, isKnown else { return false }
        let modules = Set(linked.map { graph.nodes[$0].target.module })
        let users = reachable(from: [start]) { index in
            graph.nodes.indices.filter { targets(of: $0).contains(index) }
        }
        return users.allSatisfy { index in
            let declared = Set(targets(of: index).map { graph.nodes[$0].target.module })
            let target = graph.nodes[index].target
            return !isOpaque(target)
                && target.files.allSatisfy { file in
                    file.facts.imports.allSatisfy {
                        $0.module == target.module || declared.contains($0.module)
                            || !modules.contains($0.module)
                    }
                }
        }
    }

    private func index(of target: LocalTarget) -> Int? { graph.nodes.firstIndex { $0.target === target } }

    /// The targets that a target's manifest declares as its dependencies.
    private func targets(of index: Int) -> [Int] {
        graph.outgoing[index].filter { !$0.declarations.isEmpty }.map(\.to)
    }

    /// Whether a target's folder contains C code, resources or other files that are neither Swift nor documentation.
    private func hasOtherFiles(_ target: LocalTarget) -> Bool {
        let paths = FileManager.default.subpaths(atPath: tree.root + "/" + target.folder) ?? []
        let folders = Set(paths.map { PathText.split($0).folder })
        return paths.contains { path in
            !folders.contains(path) && !path.hasSuffix(".swift") && !path.hasSuffix(".md")
                && !path.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasSuffix(".docc") }
        }
    }

    /// Whether one of a target's files has words that meet a condition.
    private func contains(_ target: LocalTarget, _ condition: (Set<Substring>) -> Bool) -> Bool {
        target.files.contains { file in
            // An unreadable file may contain anything.
            guard let data = tree.contents(of: file.path) else {
                return true
            }
            let text = String(decoding: data, as: UTF8.self)
            return condition(Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }))
        }
    }

    /// The attributes of declarations that code in other modules can use without an import.
    private static let definitions: Set<Substring> = [
        "@_cdecl", "@c", "@_silgen_name", "@objc", "@objcMembers", "@_dynamicReplacement", "@_expose",
        "@_section",
        "@section", "@_used", "@used",
    ]

    /// The words with which code uses declarations of modules that it does not import.
    private static let lookUps: Set<Substring> = [
        "@_silgen_name", "@_extern", "@extern", "dlsym", "NSClassFromString", "objc_getClass", "_typeByName",
        "classNamed",
    ]
}
