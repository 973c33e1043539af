import ModuleEdits
import ModuleKit
import ModuleTree

extension Manifest {
    /// The products that the tests of a pair use, besides the pair, its Api and ApiCenter, as an app's list of pairs names
    /// them: `Routes`, or `UserApi/UserApiFakes` for a product of a package with another name.
    ///
    /// - Parameter api: The name of the Api that the pair implements.
    func testUses(of pair: String, api: String) -> [String] {
        let own = Set(targets.map(\.name))
        let used = targets.filter { $0.kind == .test && $0.name == pair + "Tests" }.flatMap(\.dependencies)
            .filter { !$0.isPlugin && !($0.package == nil && own.contains($0.name)) }
            .map { use in
                let package = use.package ?? use.name
                return package.lowercased() == use.name.lowercased() ? use.name : "\(package)/\(use.name)"
            }
        return Set(used).subtracting(["ApiCenter", pair, api]).sorted()
    }
}

/// A pair whose tests are compiled by the app's package with other products than the pair's own package names.
struct StaleTestUses {
    /// The name of the pair.
    let pair: String
    /// The app's manifest.
    let manifest: String
    /// The line of the pair in the manifest's list.
    let line: Int
    /// The products that the tests use, but the app's test target does not link.
    let missing: [String]
    /// The products that the list names, but the tests do not use.
    let unneeded: [String]
    /// Whether the command `registrations` can write the pair's entry.
    let isWritable: Bool
}

extension TreeRoot {
    /// The lists, in which each entry names what the tests of the pair use, and the manifest declares the packages that
    /// contain it.
    func withTestUses(_ lists: [PairList], _ tree: Tree) throws(Diagnostic) -> [PairList] {
        try lists.map { (list) throws(Diagnostic) in
            var list = list
            guard list.takesUses, let app = tree.package(in: list.app.folder) else { return list }
            var declared: Set<String> = []
            for pair in list.pairs {
                guard let uses = tree.testUses(of: pair) else { continue }
                try list.set(uses: uses, of: pair.name)
                for use in uses {
                    // A pair's packages are declared with the pair.
                    let name = String(use.prefix { $0 != "/" })
                    guard let package = tree.package(name), !tree.declares(app, package),
                        package.role != .api, package.role != .imp, declared.insert(name).inserted
                    else { continue }
                    try list.declare(name, .path(package.path))
                }
            }
            return list
        }
    }

    /// The pairs whose tests the packages of apps compile with other products than the pairs' own packages do.
    func staleTestUses(_ tree: Tree) throws(Diagnostic) -> [StaleTestUses] {
        try pairLists().flatMap { list in
            let app = tree.package(in: list.app.folder)
            return list.pairs.compactMap { pair -> StaleTestUses? in
                guard let app, let needed = tree.testUses(of: pair),
                    app.targets.contains(where: { $0.name == pair.name + "Tests" })
                else { return nil }
                let linked = app.manifest.testUses(of: pair.name, api: tree.api(of: pair))
                let missing = Set(needed).subtracting(linked).sorted()
                let unneeded = Set(pair.uses).subtracting(needed).sorted()
                if missing.isEmpty, unneeded.isEmpty { return nil }
                return StaleTestUses(
                    pair: pair.name, manifest: list.app.manifest, line: pair.line, missing: missing,
                    unneeded: unneeded, isWritable: list.takesUses && pair.uses != needed)
            }
        }
    }
}

extension Tree {
    /// The name of the Api that a pair implements.
    fileprivate func api(of pair: PairList.Pair) -> String { names.api(pair.alternativeTo ?? pair.name) }

    /// The products that the tests of a pair use; nil if the tree does not contain the pair.
    fileprivate func testUses(of pair: PairList.Pair) -> [String]? {
        package(in: pair.folder)?.manifest.testUses(of: pair.name, api: api(of: pair))
    }
}
