import Foundation
import ModuleKit
import ModuleRules
import ModuleTree
import Synchronization

/// Finds the uses of dependencies that no import shows.
///
/// Reads files only for dependencies that no file imports, and each target's files once.
///
/// All operations are thread-safe.
final class HiddenUses: Sendable {
    private let tree: Tree
    private let graph: TargetGraph
    private let words = TargetMemo<HiddenWords>()
    private let usable = TargetMemo<Bool>()

    init(_ tree: Tree) {
        (self.tree, graph) = (tree, TargetGraph(tree))
    }

    /// Whether imports cannot show what a target uses: a plugin generates some of its code, `.modules.yml` excludes
    /// some of its files, compiler flags rename the imported modules, or the target looks code up by name.
    func isOpaque(_ target: LocalTarget) -> Bool {
        target.kind == .plugin || target.declaration.renamesModules
            || target.dependencies.contains(where: \.isPlugin)
            || (tree.configuration?.exclude ?? []).contains {
                (target.folder + "/").hasPrefix($0 + "/") || $0.hasPrefix(target.folder + "/")
            }
            || words(of: target).lookUp
    }

    /// Whether a target contains `#if canImport(module)` without importing the module.
    func isTested(_ module: String, by target: LocalTarget) -> Bool {
        words(of: target).mayTest(module)
    }

    /// Whether other targets may use a target without importing a module of its name: the target is not a Swift
    /// library, has resources, or defines symbols that code in other modules can find by name.
    func isUsableWithoutImport(_ target: LocalTarget) -> Bool {
        usable.value(of: target) {
            target.kind != .regular || target.files.isEmpty || target.declaration.renamesModules
                || target.dependencies.contains(where: \.isPlugin) || hasOtherFiles(target)
                || words(of: target).define
        }
    }

    /// Whether the tree builds and works without a dependency that its target does not import. That is so if the tool
    /// knows all code that the dependency links, and no target gets any of this code through the dependency alone.
    func isUnneeded(_ dependency: Manifest.TargetDependency, of target: LocalTarget, in package: LocalPackage)
        -> Bool
    {
        guard let start = graph.index(of: target) else { return false }
        let provided = tree.targets(of: dependency, in: package).compactMap(graph.index)
        let linked = reachable(from: provided) { targets(of: $0) }
        let isKnown = linked.allSatisfy { index in
            let node = graph.nodes[index]
            return !isUsableWithoutImport(node.target)
                && node.target.dependencies.allSatisfy { !tree.targets(of: $0, in: node.package).isEmpty }
        }
        guard !provided.isEmpty, isKnown else { return false }
        let modules = Set(linked.map { graph.nodes[$0].target.module })
        return reachable(from: [start]) { users(of: $0) }.allSatisfy { index in
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

    /// The targets that a target's manifest declares as its dependencies.
    private func targets(of index: Int) -> [Int] {
        graph.outgoing[index].filter { !$0.declarations.isEmpty }.map(\.to)
    }

    /// The targets whose manifests declare a target as a dependency.
    private func users(of index: Int) -> [Int] {
        graph.incoming[index].filter { !$0.declarations.isEmpty }.map(\.from)
    }

    /// Whether a target's folder contains C code, resources or other files that are neither Swift nor documentation.
    private func hasOtherFiles(_ target: LocalTarget) -> Bool {
        let listing = try? FileListing(root: tree.root, in: target.folder)
        return (listing?.files ?? []).contains { path in
            !path.hasSuffix(".swift") && !path.hasSuffix(".md") && !path.contains(".docc/")
        }
    }

    private func words(of target: LocalTarget) -> HiddenWords {
        words.value(of: target) {
            target.files.reduce(into: HiddenWords()) { $0.add(tree.contents(of: $1.path)) }
        }
    }
}

/// A value for each target, computed at first use. Two threads may compute it at the same time.
private final class TargetMemo<Value: Sendable>: Sendable {
    private let known = Mutex<[ObjectIdentifier: Value]>([:])

    func value(of target: LocalTarget, make: () -> Value) -> Value {
        let key = ObjectIdentifier(target)
        if let value = known.withLock({ $0[key] }) { return value }
        let value = make()
        known.withLock { $0[key] = value }
        return value
    }
}

extension HiddenUses: Derived {
    static func value(in context: RuleContext) -> HiddenUses { HiddenUses(context.tree) }
}

extension RuleContext {
    var hiddenUses: HiddenUses { get throws { try value(of: HiddenUses.self) } }
}
