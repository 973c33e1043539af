import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions
import SwiftSyntax

/// Where a tree gets ApiCenter, Lifecycle, Launch, the other packages of Core and Base, and this tool from.
package enum HousePackages: Sendable {
    /// Copies from the repository that contains the tool's package; `tool` is the folder of that package.
    case copies(tool: String)
    /// Exported packages, by URL and version.
    case addresses(AddressTemplate)

    /// The launcher script, as templates and messages name it.
    static let script = "Scripts/modules"
    /// The package of the build plugin.
    static let plugin = "ModuleCheck"
    /// The packages with which an app starts. Unlike ApiCenter and Lifecycle, modules do not need them.
    static let launch = "Launch"
    static let routes = "Routes"

    /// The folders of the tool's repository with the packages that a tree may get.
    static let folders = ["Packages/Core", "Packages/Base"]

    var isCopying: Bool { if case .copies = self { true } else { false } }

    /// The user's next steps for the launcher script.
    var steps: [String] {
        guard isCopying else { return [] }
        return [
            "Scripts/modules fetches the tool from the path after url=. Before others use the script, replace this "
                + "path with an address that they can access."
        ]
    }

    /// Packages for a tree.
    struct Packages {
        /// The origins of the packages that were asked for.
        var sources: [String: Configuration.Source] = [:]
        /// The copied files, by path.
        var files: [String: String] = [:]
        /// The names of the copied packages: those that were asked for, and those that they need.
        var copies: [String] = []
        /// The versions of the copied packages.
        var versions: [String: SemanticVersion] = [:]
    }

    /// The packages with these names.
    ///
    /// - Parameters:
    ///   - command: Returns the command to note in the copy of a package: `add Routes`.
    ///   - place: Returns the folder of a package in the tree, given its folder in the tool's repository, and whether
    ///     the tree has the package already.
    func packages(
        _ names: [String], for command: (String) -> String,
        at place: (String) -> (folder: String, exists: Bool)
    ) throws -> Packages {
        var packages = Packages()
        switch self {
        case .addresses(let template):
            for name in names {
                let url = template.address(of: name)
                packages.sources[name] = .url(url, from: try Self.release(at: url).text)
            }
        case .copies(let tool):
            let house = try TreeRoot(URL(filePath: PathText.join(tool, "../..")))
            for name in names {
                let folder = try Self.folder(of: name, in: house, tool)
                packages.sources[name] = .path(place(folder).folder)
                try Self.copy(folder, of: house, for: command, at: place, into: &packages)
            }
        }
        return packages
    }

    /// The names of the packages that a tree may copy, sorted; empty for addresses, which are looked up by name.
    func names() throws -> [String] {
        guard case .copies(let tool) = self else { return [] }
        let house = try TreeRoot(URL(filePath: PathText.join(tool, "../..")))
        return Self.folders.flatMap { folder in
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: house.url.appending(path: folder).path)
            return (names ?? []).filter { house.exists("\(folder)/\($0)/Package.swift") }
        }.sorted()
    }

    // MARK: Copies

    /// Adds the copy of a package in a folder, and of all its dependencies. Each copy keeps the layout of its code, with
    /// the settings for it.
    private static func copy(
        _ folder: String, of house: TreeRoot, for command: (String) -> String,
        at place: (String) -> (folder: String, exists: Bool), into packages: inout Packages
    ) throws {
        let versions = try house.versionsFile()
        var (waiting, found) = ([folder], Set<String>())
        while let source = waiting.popLast() {
            guard found.insert(source).inserted else { continue }
            let (name, (target, exists)) = (PathText.split(source).name, place(source))
            if exists || packages.copies.contains(name) { continue }
            let manifest = source + "/Package.swift"
            var files = [".swift-format": try house.text(".swift-format")]
            for path in house.files(in: source) {
                files[PathText.path(to: path, from: source)] = try house.text(path)
            }
            var edit = try ManifestSource(try house.text(manifest), in: "/" + source)
            for call in edit.calls where call.name == "package" {
                guard let path = call["path"], let other = path.literal else { continue }
                let dependency = PathText.join(source, other)
                waiting.append(dependency)
                let new = PathText.path(to: place(dependency).folder, from: target)
                edit.edits.replace(path.position, path.endPosition, with: "\"\(new)\"")
            }
            files["Package.swift"] = edit.text
            files[PackageCopy.path] = PackageCopy(files, command: command(name)).text
            for (path, text) in files { packages.files["\(target)/\(path)"] = text }
            packages.copies.append(name)
            packages.versions[name] = versions.library(name)?.version
        }
    }

    /// The folder of a package in the tool's repository.
    private static func folder(of name: String, in house: TreeRoot, _ tool: String) throws -> String {
        let folders = (self.folders + ["Scripts"]).map { $0 + "/" + name }
        guard let folder = folders.first(where: { house.exists($0 + "/Package.swift") }) else {
            throw noCopies(tool)
        }
        return folder
    }

    private static func noCopies(_ tool: String) -> Diagnostic {
        Diagnostic(
            .configuration, at: tool, "this tool is not in a git repository with the packages to copy.",
            why: "--packages copy copies ApiCenter, Lifecycle and Launch from the tool's own repository.",
            fix: "Pass the address of the exported packages: --packages \"https://github.com/acme/{name}\"")
    }

    // MARK: The launcher script

    /// The launcher script of a new tree.
    func launcher() throws -> String {
        var values = try place()
        values["URL"]?.replace("'", with: "'\\''")
        return ModuleTemplates.filled(PackageResources.Launcher_template, values)
    }

    /// The repository, the folder and the revision of the tool, as the launcher script names them.
    private func place() throws -> [String: String] {
        switch self {
        case .copies(let tool):
            let output = try Git.output(
                ["rev-parse", "--show-toplevel", "--show-prefix", "HEAD"], in: tool)
            let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            guard output.status == 0, lines.count > 2 else { throw Self.noCopies(tool) }
            return ["URL": lines[0], "Folder": lines[1], "Revision": lines[2]]
        case .addresses(let template):
            let url = template.address(of: "ModuleTool")
            return ["URL": url, "Folder": "", "Revision": try Self.release(at: url).tag]
        }
    }

    /// A launcher script that starts this tool's revision; nil if the script already does, or is another script.
    func updated(_ launcher: String) throws -> String? {
        guard let revision = try place()["Revision"],
            let old = launcher.firstMatch(of: /(?m)^url='.*' revision=(\S+)$/)?.1, old != revision
        else { return nil }
        return launcher.replacingCharacters(in: old.startIndex..<old.endIndex, with: revision)
    }

    /// The highest release at an address.
    private static func release(at url: String) throws -> (tag: String, text: String) {
        let output = try Git.output(
            ["ls-remote", "--tags", "--refs", url], in: "/", with: ["GIT_TERMINAL_PROMPT": "0"])
        let releases = SemanticVersion.releases(
            among: output.text.split(separator: "\n").compactMap {
                $0.split(separator: "/").last.map(String.init)
            })
        let last = releases.filter { $0.version.prerelease.isEmpty }.max { $0.version < $1.version }
        guard let last else {
            throw Diagnostic(
                output.status == 0 ? .configuration : .environment, at: url,
                output.status == 0
                    ? "this repository has no version tag."
                    : "git cannot read this repository: \(output.standardError.prefix { $0 != "\n" })",
                why: "The tree depends on a version of the package.",
                fix: output.status == 0
                    ? "Export the package and push it: Scripts/modules export ApiCenter Lifecycle Launch Routes ModuleTool"
                    : "Check the address, the network and your permission to read the repository."
            )
        }
        return (last.tag, "\(last.version)")
    }
}
