import Foundation
import ModuleBytes
import ModuleKit
import ModuleTree

/// The test targets of a package and their inputs.
///
/// The inputs of a test target are:
/// - every byte of the files in the folders of the target and of all targets that it links, directly or not. Comments
///   count, because a line that moves changes what tests print and what `#line` returns.
/// - the other files of its package that are in no target's folder, such as the README or a folder of fixtures
/// - the manifests of these targets' packages, and the environment variables that they name; and the manifests of all
///   packages below the tested one that mention traits
/// - `Package.resolved`, the mirrors of dependencies, and the local packages on which the tested one depends without using
///   them, if one of these targets links a remote package: a local package replaces a remote one with its name
/// - what `.modules.yml` lists under `reads` for one of these targets
/// - the toolchain, the platform, the variables that compilers and loaders read, the options of `swift build`, and the
///   files that these name
///
/// The tool cannot see what a running test reads. A target always runs if it or a target that it links contains one of
/// ``FileContent/words``, or uses a plugin or a system library, unless `reads` lists that target: then a person has
/// said what it reads. A target also always runs if its package depends on a package outside the tree, if a manifest
/// reads files or sets flags, if an option names a folder, or if the checkout of a dependency was edited.
package struct TestInputs {
    /// Increase this when the inputs change, so that older results do not count.
    private static let version = "5"

    private let tree: Tree
    private let files: TreeFiles
    private let graph: TargetGraph
    private let machine: Machine
    private let options: SwiftOptions

    package init(_ tree: Tree, machine: Machine, options: SwiftOptions) throws {
        (self.tree, self.machine, self.options) = (tree, machine, options)
        files = try TreeFiles(root: tree.root, packages: Set(tree.packages.map(\.path)))
        graph = TargetGraph(tree, includesMirrors: true)
    }

    /// The test targets that a package declares, sorted by name.
    ///
    /// - Parameters:
    ///   - focus: The package that `modules focus` has made of this one, whose tests are wanted instead. They have other
    ///     keys, and a test that links a remote package always runs, because a focus has pins of its own.
    ///   - wanted: The names of the targets to return; nil for all.
    /// - Complexity: O(*files* + *test targets* · *linked targets*).
    package func targets(
        of package: LocalPackage, focus: FocusedTests? = nil, only wanted: Set<String>? = nil
    ) throws -> [TestTarget] {
        let names = Set(graph.nodes.map(\.target.name))
        for name in tree.names.reads.flatMap(\.targets) where !names.contains(name) {
            throw Diagnostic(
                .configuration, at: Configuration.path, "there is no target '\(name)', which `reads` lists",
                why: "A misspelt name would leave out inputs of tests.",
                fix: Spelling.choice(for: name, among: names.sorted()))
        }
        let tests = graph.nodes.indices.filter {
            let node = graph.nodes[$0]
            return node.target.kind == .test && wanted?.contains(node.target.name) != false
                && node.package.path == (focus.map { $0.tests[node.target.name] } ?? package.path)
        }
        // A package that is not linked may set traits of one that is.
        let shared = tree.dependencies(of: package).filter {
            bytes(of: $0.manifestPath).place(of: "traits") != nil
        }
        var manifests: [Int: Draft] = [:]
        let common = common(to: package, focus)
        let drafts = tests.map { draft($0, in: package, from: common, with: shared, &manifests) }
        let contents = files.contents(of: drafts.reduce(into: []) { $0.formUnion($1.paths) })
        let programs = machine.digests(of: drafts.reduce(into: []) { $0.formUnion($1.programs) })
        let around = drafts.map { TreeFiles.folders(around: $0.paths) }
        // SwiftPM writes Package.resolved into the package's own folder.
        let folders = around.reduce(into: Set()) { $0.formUnion($1) }.subtracting([
            focus?.folder ?? package.path
        ])
        let times = contents.compactMapValues(\.times).merging(files.times(of: folders)) { $1 }
        return zip(tests, zip(drafts, around)).map { test, draft in
            let (draft, around) = draft
            let target = graph.nodes[test].target
            var inputs = draft.values
            for path in draft.paths { inputs[path] = contents[path]?.digest }
            for name in draft.programs { inputs["/program " + name] = programs[name] }
            var own: [String: FileTimes] = [:]
            for path in draft.paths.union(around) { own[path] = times[path] }
            let unread = draft.paths.filter { contents[$0]?.isMissing == true }.min().map {
                "\($0) cannot be read"
            }
            let found = draft.searched.lazy.compactMap { path in
                contents[path]?.word.map { "\(path) contains `\($0)`" }
            }.first
            return TestTarget(
                name: target.name, tests: draft.tests, module: target.module, inputs: inputs,
                times: own,
                alwaysRuns: draft.reason ?? unread ?? found, maySkip: draft.maySkip, isListed: draft.isListed,
                environment: machine.settings.merging(
                    machine.environment.filter { draft.variables.contains($0.key) }
                ) { $1 })
        }.sorted { $0.name < $1.name }
    }

    /// The inputs of a test target before its files are read.
    private struct Draft {
        /// Other inputs than files, by name.
        var values: [String: String] = [:]
        var paths: Set<String> = []
        /// The names or paths of the programs that tests may start.
        var programs: Set<String> = []
        /// The files in which a word shows that the target may read something else.
        var searched: [String] = []
        var reason: String?
        /// The names of the linked test targets.
        var tests: Set<String> = []
        /// Why the sources of remote packages are unknown; nil if they are those of the pins.
        var edited: String?
        /// The names of the variables that tests may read.
        var variables: Set<String> = []
        var maySkip = false, isListed = false
    }

    /// The inputs of all test targets of a package.
    private func common(to package: LocalPackage, _ focus: FocusedTests?) -> Draft {
        let folder = PathText.join(tree.root, focus?.folder ?? package.path)
        var draft = Draft()
        draft.edited =
            focus == nil
            ? editedDependency(of: folder) : "it links a remote package, which a focus pins itself"
        (draft.values, draft.reason) = machine.inputs(of: options, in: folder)
        draft.values["/version of the key"] = Self.version
        if let focus {
            draft.values["/focus"] = focus.folder
            draft.paths = [focus.manifest]
        }
        return draft
    }

    /// - Parameters:
    ///   - common: The inputs of all test targets of the package.
    ///   - manifests: What the manifests of each package add, by the package's index. Each is read once.
    private func draft(
        _ test: Int, in package: LocalPackage, from common: Draft, with shared: [LocalPackage],
        _ manifests: inout [Int: Draft]
    ) -> Draft {
        var draft = common
        draft.values["/test target"] = graph.nodes[test].target.name
        let linked = reachable(from: [test]) { graph.outgoing[$0].map(\.to) }.map { graph.nodes[$0] }
        draft.tests = Set(linked.filter { $0.target.kind == .test }.map(\.target.name))
        for node in linked {
            let paths = files.paths(in: node.target.folder)
            draft.paths.formUnion(paths)
            if paths.allSatisfy({ $0.hasSuffix("/") }), ![.binary, .system].contains(node.target.kind) {
                draft.reason = "\(node.target.folder) has no files of \(node.target.name); give its `path`"
            }
            let entries = tree.names.reads.filter { $0.targets.contains(node.target.name) }
            for entry in entries { add(entry, to: &draft) }
            if node.target === graph.nodes[test].target {
                (draft.isListed, draft.maySkip) = (!entries.isEmpty, entries.contains(where: \.maySkip))
            }
            guard entries.isEmpty else { continue }
            draft.searched += paths
            if node.target.kind == .system || node.target.dependencies.contains(where: \.isPlugin) {
                draft.reason = "\(node.target.name) uses a plugin or a system library"
            }
        }
        for index in Set((linked.map(\.package) + shared).map(\.index)).sorted() {
            let package = tree.packages[index]
            let more = manifests[package.index] ?? ofManifests(package)
            manifests[package.index] = more
            draft.values.merge(more.values) { $1 }
            draft.paths.formUnion(more.paths)
            draft.reason = more.reason ?? draft.reason
        }
        let isRemote = linked.contains { node in
            node.target.dependencies.contains { tree.targets(of: $0, in: node.package).isEmpty }
        }
        if isRemote { addPins(of: package, to: &draft) }
        addPackage(of: graph.nodes[test].target, to: &draft)
        if draft.maySkip { draft.values["/may-skip"] = "true" }
        return draft
    }

    private func add(_ entry: Configuration.Reads, to draft: inout Draft) {
        for path in entry.files {
            let paths = files.paths(in: path)
            if paths.isEmpty { draft.reason = "\(path), which `reads` lists, contains no files that count" }
            draft.paths.formUnion(paths)
        }
        for name in entry.environment { draft.values["/variable " + name] = machine.value(of: name) }
        draft.variables.formUnion(entry.environment)
        draft.programs.formUnion(entry.programs)
    }

    /// The manifests of a package, and the environment variables that they name.
    private func ofManifests(_ package: LocalPackage) -> Draft {
        var draft = Draft()
        let manifests = files.paths(in: package.path).filter { path in
            let (folder, name) = PathText.split(path)
            return folder == package.path && name.hasPrefix("Package") && name.hasSuffix(".swift")
        }
        draft.paths.formUnion(manifests)
        if manifests.isEmpty { draft.reason = "\(package.manifestPath) is not among the files that count" }
        for path in manifests {
            let bytes = bytes(of: path)
            let text = String(decoding: bytes, as: UTF8.self)
            let named = ManifestVariables.names(in: text)
            for name in named ?? [] where name != ManifestVariables.testTargets {
                draft.values["/variable " + name] = machine.value(of: name)
            }
            if named == nil {
                draft.reason =
                    "\(path) reads the environment other than by Context.environment[\"NAME\"]"
            }
            if Self.mayReachOutside(bytes), let match = text.firstMatch(of: Self.outside) {
                draft.reason = "\(path) contains `\(match.0)`"
            }
        }
        for dependency in package.manifest.dependencies {
            guard let path = dependency.path, tree.package(reachedBy: dependency, of: package) == nil else {
                continue
            }
            draft.reason = "\(package.manifestPath) depends on \(path), which is outside the tree"
        }
        return draft
    }

    /// What a manifest says when a build depends on files that are not in a target's folder, or on the commit.
    private static var outside: Regex<Substring> {
        /\bimport\b(?!\s+(?:PackageDescription|CompilerPluginSupport)\b)\s*\w*|#file|@_silgen_name|gitInformation|packageDirectory|unsafeFlags(?!\(\["-O\w*"\][,)])|linkedLibrary|linkedFramework|(?:headerSearchPath\(|copy\(|process\(|embedInCode\(|publicHeadersPath:)(?:\s*"[^"]*\.\.|(?!\s*"[^"\\]+"\s*[,)]))/
    }

    /// The words of ``outside`` but `import`.
    private static let outsideWords = SoughtTexts([
        "#file", "@_silgen_name", "gitInformation", "packageDirectory", "unsafeFlags", "linkedLibrary",
        "linkedFramework", "headerSearchPath", "copy", "process", "embedInCode", "publicHeadersPath",
    ])

    /// Whether ``outside`` may match. The expression takes long, and most manifests have no such word and one import.
    private static func mayReachOutside(_ manifest: [UInt8]) -> Bool {
        let first = manifest.place(of: "import")
        let isUsual =
            first.map { manifest[$0...].starts(with: Array("import PackageDescription\n".utf8)) } ?? true
        return !isUsual || first != manifest.place(of: "import", isLast: true)
            || outsideWords.first(in: manifest) != nil
    }

    private func bytes(of path: String) -> [UInt8] {
        FileManager.default.contents(atPath: tree.root + "/" + path).map(Array.init) ?? []
    }

    private func addPins(of package: LocalPackage, to draft: inout Draft) {
        let folder = PathText.join(tree.root, package.path)
        for name in ["Package.resolved", ".swiftpm/configuration/mirrors.json"] {
            draft.values["/pins in " + name] = FileContent(folder + "/" + name).digest
        }
        draft.reason = draft.edited ?? draft.reason
        // A local package replaces a remote one with its name. If no local target uses it, a remote package does.
        let used = Set(graph.edges.map { graph.nodes[$0.to].package.path })
        for dependency in package.manifest.dependencies {
            let local = tree.package(reachedBy: dependency, of: package)
            guard let local, !used.contains(local.path) else { continue }
            draft.paths.formUnion(files.paths(in: local.path))
        }
    }

    /// What differs from the pinned revisions.
    private func editedDependency(of package: String) -> String? {
        let scratch = PathText.join(package, options.scratchPath)
        guard let data = FileManager.default.contents(atPath: scratch + "/workspace-state.json") else {
            return nil
        }
        let state = String(decoding: data, as: UTF8.self)
        if state.contains(/"name"\s*:\s*"edited"/) {
            return "a dependency is edited with `swift package edit`"
        }
        let checkouts = Command.names(in: scratch + "/checkouts")
        let pinned = checkouts.sorted().filter { state.contains("\"\($0)\"") }
        return concurrentMap(pinned, step: 1) { name -> String? in
            func git(_ arguments: String...) -> String? {
                let output = try? Git.output(arguments, in: "\(scratch)/checkouts/\(name)")
                return output.flatMap { $0.status == 0 ? $0.line : nil }
            }
            let revision = git("rev-parse", "HEAD").map(state.contains) == true
            let isClean = git("status", "--porcelain", "--untracked-files=all", "--ignored") == ""
            return revision && isClean ? nil : "the checkout of \(name) differs from its pinned revision"
        }.lazy.compactMap(\.self).first
    }

    /// Adds the files that belong to the package of a test target, but to no target.
    private func addPackage(of target: LocalTarget, to draft: inout Draft) {
        guard let owner = tree.owner(ofFolder: target.folder) else { return }
        let inner = tree.packages.map(\.path) + owner.targets.map(\.folder)
        var rest = Set(files.paths(in: owner.path).filter { !$0.hasSuffix("/") })
        for folder in inner where folder != owner.path && (owner.path.isEmpty || folder.isInside(owner.path))
        {
            rest.subtract(files.paths(in: folder))
        }
        // The pins are inputs of those targets only that link remote packages.
        rest.remove(PathText.join(owner.path, "Package.resolved"))
        draft.paths.formUnion(rest)
    }
}
