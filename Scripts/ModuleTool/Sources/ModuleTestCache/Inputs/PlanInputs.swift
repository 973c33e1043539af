import Foundation
import ModuleBytes
import ModuleKit
import ModuleTree

/// The files from which SwiftPM plans a build: which files there are, and the contents of manifests, pins and programs.
///
/// Before SwiftPM builds with the plan of an earlier build, it compares less: the folders of the tested package's own
/// targets, its `Package.swift` and its pins.
package struct PlanInputs: Sendable {
    /// The files at one time.
    struct State: Hashable, Sendable {
        /// The paths, contents and other inputs.
        fileprivate var text = ""
        /// When each folder, and each file whose contents count, was last written: a file may be missing for a while.
        fileprivate var times: [String: FileTimes] = [:]

        /// Identifies the plan that a command makes from these files.
        func digest(with command: [String], _ environment: [String: String]) -> String {
            let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return SHA256.hex(Array((command + variables + [text]).joined(separator: "\0").utf8))
        }
    }

    private let root: String
    /// The folders of all packages of the tree, and that of the tested one, relative to the root.
    private let packages: Set<String>, tested: String
    /// The folders with the sources of programs, relative to the root.
    private let programs: [String]
    /// The absolute path of the checkouts of remote packages.
    private let checkouts: String
    private let values: [String: String]

    /// Nil if a plan depends on more than these files, and has to be made for each build.
    ///
    /// - Parameters:
    ///   - packages: The tested package and those on which it depends, directly or not.
    ///   - tested: The folder of the tested package, relative to the root.
    package init?(
        _ tree: Tree, of packages: [LocalPackage], in tested: String, machine: Machine, options: SwiftOptions
    ) {
        for package in packages {
            // SwiftPM runs build plugins for a plan, and asks pkg-config for the flags of system libraries. The list of files
            // has no hidden folders of packages. SwiftPM writes to the folder of the tested package, so the times of this
            // folder show nothing about the sources in it.
            let isUnknown = package.targets.contains { target in
                ![.regular, .executable, .test, .macro].contains(target.kind)
                    || target.dependencies.contains(where: \.isPlugin)
                    || target.folder.split(separator: "/").contains { $0.hasPrefix(".") }
                    || ["", tested].contains(target.folder)
            }
            let isElsewhere = package.manifest.dependencies.contains {
                $0.path != nil && tree.package(reachedBy: $0, of: package) == nil
            }
            if isUnknown || isElsewhere { return nil }
        }
        let folder = PathText.join(tree.root, tested)
        let (values, reason) = machine.inputs(of: options, in: folder)
        guard reason == nil else { return nil }
        (root, self.tested) = (tree.root, tested)
        self.values = values.merging(["/version of the record": "1"]) { $1 }
        self.packages = Set(tree.packages.map(\.path))
        checkouts = PathText.join(folder, options.scratchPath) + "/checkouts"
        let ofPrograms = packages.flatMap(\.targets).filter { [.executable, .macro].contains($0.kind) }
        programs = ofPrograms.map(\.folder) + [PathText.join(tested, "Snippets")]
    }

    /// Reads the files.
    ///
    /// - Complexity: O(*files*).
    func state() throws -> State {
        var state = State()
        state.text = values.sorted { $0.key < $1.key }.map { "\($0.key)\0\($0.value)\0" }.joined()
        func add(_ files: TreeFiles, in root: String, reading more: [String] = []) {
            let paths = Array(files.paths(in: ""))
            let read = Set(paths.filter(Self.isManifest) + more).sorted()
            // SwiftPM leaves out links that lead nowhere.
            for list in [paths, files.danglingLinks] {
                state.text += "\(root)\0\(list.count)\0" + list.map { $0 + "\0" }.joined()
            }
            for path in read {
                let text = FileManager.default.contents(atPath: root + "/" + path)
                state.text += "\(path)\0" + (text.map(Array.init).map(SHA256.hex) ?? "missing") + "\0"
            }
            let written = TreeFiles.folders(around: Set(paths)).subtracting([tested]).union(read)
            for (path, times) in files.times(of: written) { state.times[root + "/" + path] = times }
        }
        let files = try TreeFiles(root: root, packages: packages)
        // A program of one file is compiled with another option if the file contains `@main`.
        let sources = programs.flatMap(files.paths).filter { path in
            FileManager.default.contents(atPath: root + "/" + path).map(Array.init)?.place(of: "@main") != nil
        }
        let settings = PathText.join(tested, ".swiftpm/configuration")
        add(
            files, in: root,
            reading: sources + ["Package.swift", "Package.resolved"].map { PathText.join(tested, $0) }
                + Command.names(in: root + "/" + settings).map { settings + "/" + $0 })
        let names = Command.names(in: checkouts)
        if !names.isEmpty { add(try TreeFiles(root: checkouts, packages: Set(names)), in: checkouts) }
        return state
    }

    private static func isManifest(_ path: String) -> Bool {
        let name = PathText.split(path).name
        return name.hasPrefix("Package") && name.hasSuffix(".swift")
    }
}
