import Foundation
import ModuleTree
import ModuleVersions
import SwiftSyntax

/// The files that a renamed pair changes: the sources and documents of its packages and of the packages that depend on
/// it, and the paths in all documents of the tree.
struct RenamedFiles {
    /// The new contents of the files that change, by their old paths.
    var changed: [String: String] = [:]
    /// The places of string literals that contained only the pair's name, except in tests.
    private(set) var literals: [String] = []

    private let root: HouseRoot
    private let tree: Tree
    private let packages: [LocalPackage]
    /// The Swift files of the packages that may mention the pair, by target.
    private let sources: [String: [RenamedSource]]
    /// The documents, and whether each belongs to a package that may mention the pair.
    private let documents: [(path: String, isNear: Bool)]

    init(_ root: HouseRoot, _ tree: Tree, of packages: [LocalPackage]) throws {
        (self.root, self.tree, self.packages) = (root, tree, packages)
        let own = Set(packages.map(\.index))
        var near = own.union(PackageGraph(tree).edges.filter { own.contains($0.to) }.map(\.from))
        for package in tree.packages {
            let reached = package.manifest.dependencies.compactMap {
                tree.package(reachedBy: $0, of: package)?.index
            }
            if package.path.isEmpty || !own.isDisjoint(with: reached) { near.insert(package.index) }
        }
        // The comments of an Api may mention the modules that its IMP calls.
        let mates = Set(near.map { tree.packages[$0] }.filter { $0.role == .imp }.map(\.pairName))
        near.formUnion(tree.packages.filter { $0.role == .api && mates.contains($0.pairName) }.map(\.index))
        func owner(_ path: String) -> Int? {
            tree.owner(ofFolder: PathText.split(path).folder)?.index
        }
        func isFile(_ path: String) -> Bool {
            !root.isLink(path) && !tree.linkedFolders.contains { path.hasPrefix($0.link + "/") }
        }
        let manifests = near.flatMap { index -> [String] in
            let folder = tree.packages[index].path
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: root.url.appending(path: folder).path)
            return (names ?? []).filter { $0.hasPrefix("Package") && $0.hasSuffix(".swift") }.map {
                folder.isEmpty ? $0 : folder + "/" + $0
            }
        }
        var targets: [String: String] = [:]
        for package in near.map({ tree.packages[$0] }) {
            for target in package.targets where !tree.isMirror(target, of: package) {
                for file in target.files { targets[file.path] = package.path + "/" + target.name }
            }
        }
        var sources: [String: [RenamedSource]] = [:]
        for path in Set(tree.files.map(\.path) + manifests).sorted() where isFile(path) {
            guard targets[path] != nil || owner(path).map(near.contains) ?? false else { continue }
            sources[targets[path] ?? path, default: []].append(try RenamedSource(root.text(path), path: path))
        }
        self.sources = sources
        documents = tree.documents.filter { isFile($0) && !$0.hasSuffix(Changelog.name) }.compactMap { path in
            // A document that is not UTF-8 stays unchanged.
            guard (try? root.text(path)) != nil else { return nil }
            return (path, owner(path).map(near.contains) ?? false)
        }
    }

    /// Completes the names with the pair's declarations, and replaces them in all files.
    ///
    /// - Parameter edited: The contents of files that have already changed.
    mutating func replace(_ names: inout NewNames, _ edited: [String: String]) throws {
        let own = sources.values.joined().filter { isOwn($0.path) }
        for source in own { names.add(declarations: source.file) }
        try validate(names)
        let near = try documents.filter(\.isNear).map { ($0.path, try root.text($0.path)) }
        names.includesProse =
            !near.contains { NewNames.contains($0.1, names.new) }
            && !sources.values.joined().contains { $0.mentions(names.new) }
        let known = Set(names.names.keys).union([names.old])
        let imported = imported(known)
        for files in sources.values {
            let declared = known.intersection(files.filter { !isOwn($0.path) }.flatMap(\.declarations))
            for source in files {
                let new = try edited[source.path].map { try RenamedSource($0, path: source.path) } ?? source
                let hidden = declared.union(isOwn(source.path) ? [] : imported[source.path] ?? [])
                let text = new.text(names, except: hidden) { line in
                    let isTest =
                        ("/" + source.path).contains("/Tests/") || source.path.hasSuffix("Package.swift")
                    if !isTest, !root.configuration.apps.contains(where: { $0.registrations == source.path })
                    {
                        literals.append("\(source.path):\(line)")
                    }
                }
                if text != source.file.description { changed[source.path] = text }
            }
        }
        for (path, text) in near {
            let new = names.replaced(in: text, isProse: true)
            if new != text { changed[path] = new }
        }
        for path in documents.filter({ !$0.isNear }).map(\.path) {
            let text = try root.text(path)
            let new = names.replacedInPaths(of: text)
            if new != text { changed[path] = new }
        }
        let projects = tree.packages.filter(\.isProject).map { ($0.manifestPath, ["productName = "]) }
        for (path, entries) in projects + [(Configuration.path, ["use:", "allow:"])] {
            guard let text = try? root.text(path) else { continue }
            let new = names.replaced(in: text, entries: entries)
            if new != text { changed[path] = new }
        }
        literals.sort()
    }

    /// For each file, the names that it imports from other modules and that the pair declares too.
    private func imported(_ names: Set<String>) -> [String: Set<String>] {
        let own = Set(packages.map(\.index))
        var modules: [String: Set<String>] = [:]
        for target in tree.packages.filter({ !own.contains($0.index) }).flatMap(\.targets) {
            for declaration in target.files.flatMap(\.facts.declarations)
            where declaration.isPublic && declaration.parent == nil && names.contains(declaration.name) {
                modules[target.module, default: []].insert(declaration.name)
            }
        }
        guard !modules.isEmpty else { return [:] }
        return tree.files.reduce(into: [:]) { imported, file in
            imported[file.path] = Set(file.facts.imports.flatMap { modules[$0.module] ?? [] })
        }
    }

    /// The symbolic links to the pair's files, which would dangle after the pair is renamed.
    func links(to folders: [String]) -> [String] {
        func real(_ path: String) -> String { root.url.appending(path: path).resolvingSymlinksInPath().path }
        let names = folders.flatMap { folder in
            let inside = try? FileManager.default.subpathsOfDirectory(
                atPath: root.url.appending(path: folder).path)
            return [folder] + (inside ?? []).map { folder + "/" + $0 }
        }
        let tops = folders.map { real("") + "/" + $0 }
        return Set(names + tree.files.map(\.path) + tree.documents + tree.linkedFolders.map(\.link)).filter {
            path in
            root.isLink(path)
                && (folders.contains(path) || tops.contains { (real(path) + "/").hasPrefix($0 + "/") })
        }.sorted()
    }

    private func isOwn(_ path: String) -> Bool { packages.contains { path.hasPrefix($0.path + "/") } }

    /// Refuses a new name that these sources already use.
    private func validate(_ names: NewNames) throws(ToolError) {
        for source in sources.values.joined() {
            let taken = source.identifiers.intersection(names.names.values)
                .union(isOwn(source.path) ? source.declarations.intersection([names.new]) : [])
            guard let name = taken.min() else { continue }
            throw ToolError(
                .refused, at: source.path, "\(name) already exists.",
                why: "The pair's renamed declaration could not be distinguished from it.",
                fix: "Choose another name.")
        }
    }

    /// The changes of the files. Swift files that were formatted stay formatted.
    func changes() throws -> [Change] {
        let swift = changed.filter { $0.key.hasSuffix(".swift") }.reduce(into: [:]) { files, file in
            files[file.key] = (old: (try? root.text(file.key)) ?? "", new: file.value)
        }
        let all = changed.merging(try Formatting.kept(swift, like: root)) { $1 }
        return all.sorted { $0.key < $1.key }.map { .write(path: $0.key, contents: $0.value) }
    }

    /// The files of the repository that contain a name after the changes, except change notes.
    func mentions(of name: String) throws -> [String] {
        let found = try? Command.run(["git", "grep", "-Ilwz", "--untracked", "-e", name], in: root.url.path)
        return (found?.text ?? "").split(separator: "\0").map(String.init).filter { path in
            !path.hasSuffix(Changelog.name) && changed[path].map { NewNames.contains($0, name) } ?? true
        }
    }
}
