import Foundation
import ModuleTree
import ModuleVersions
import SwiftSyntax

/// Where a new tree gets ApiCenter, Lifecycle and this tool from.
package enum StarterPackages: Sendable {
    /// Copies from the repository that contains the tool's package; `tool` is the folder of that package.
    case copies(tool: String)
    /// Exported packages, by URL and version.
    case addresses(AddressTemplate)

    /// The package of the build plugin.
    static let plugin = "ModuleCheck"

    var isCopying: Bool { if case .copies = self { true } else { false } }

    /// The user's next steps for the launcher script.
    var steps: [String] {
        guard isCopying else { return [] }
        return [
            "Scripts/modules fetches the tool from the path after url=. Before others use the script, replace this "
                + "path with an address that they can access."
        ]
    }

    /// The origins of the packages, and the copied files, which are put in a folder of the new tree.
    ///
    /// - Parameter checksBuilds: Whether the packages include the one of the build plugin.
    func packages(
        in folder: String, checksBuilds: Bool
    ) throws -> (uses: [String: Configuration.Source], files: [String: String]) {
        // Where they are in the tool's repository.
        var origins = Configuration().uses
        if checksBuilds { origins[Self.plugin] = .path("Scripts/" + Self.plugin) }
        var (uses, files) = ([String: Configuration.Source](), [String: String]())
        for (name, origin) in origins.sorted(by: { $0.key < $1.key }) {
            switch self {
            case .addresses(let template):
                let url = template.address(of: name)
                uses[name] = .url(url, from: try Self.release(at: url).text)
            case .copies(let tool):
                uses[name] = .path("\(folder)/\(name)")
                guard case .path(let path) = origin else { continue }
                files.merge(try Self.copies(of: path, tool: tool, to: folder)) { $1 }
            }
        }
        return (uses, files)
    }

    /// The launcher script of the new tree.
    func launcher() throws -> String {
        var values: [String: String] = [:]
        switch self {
        case .copies(let tool):
            let output = try Command.run(
                ["git", "rev-parse", "--show-toplevel", "--show-prefix", "HEAD"], in: tool)
            let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            guard output.status == 0, lines.count > 2 else { throw Self.noCopies(tool) }
            values = ["URL": lines[0], "Folder": lines[1], "Revision": lines[2]]
        case .addresses(let template):
            let url = template.address(of: "ModuleTool")
            values = ["URL": url, "Folder": "", "Revision": try Self.release(at: url).tag]
        }
        values["URL"]?.replace("'", with: "'\\''")
        return ModuleTemplates.filled(PackageResources.Launcher_template, values)
    }

    /// The files of the package in a folder and of all its dependencies, by path. All copies lie side by side.
    private static func copies(
        of folder: String, tool: String, to target: String
    ) throws(Diagnostic) -> [String: String] {
        let house = try HouseRoot(URL(filePath: PathText.join(tool, "../..")))
        var (waiting, found, files) = ([folder], Set<String>(), [String: String]())
        while let source = waiting.popLast() {
            guard found.insert(source).inserted else { continue }
            let (manifest, name) = (source + "/Package.swift", PathText.split(source).name)
            guard house.exists(manifest) else { throw noCopies(tool) }
            for path in house.files(in: source) {
                files["\(target)/\(name)\(path.dropFirst(source.count))"] = try house.text(path)
            }
            var copy = try ManifestSource(try house.text(manifest), in: "/" + source)
            for call in copy.calls where call.name == "package" {
                guard let path = call["path"], let other = path.literal else { continue }
                waiting.append(PathText.join(source, other))
                let sibling = "\"../\(PathText.split(other).name)\""
                copy.edits.replace(path.position, path.endPosition, with: sibling)
            }
            files["\(target)/\(name)/Package.swift"] = copy.text
        }
        return files
    }

    private static func noCopies(_ tool: String) -> Diagnostic {
        Diagnostic(
            .configuration, at: tool, "this tool is not in a git repository with the packages to copy.",
            why: "--packages copy copies ApiCenter and Lifecycle from the tool's own repository.",
            fix: "Pass the address of the exported packages: --packages \"https://github.com/acme/{name}\"")
    }

    /// The highest release at an address.
    private static func release(at url: String) throws -> (tag: String, text: String) {
        let output = try Command.run(
            ["env", "GIT_TERMINAL_PROMPT=0", "git", "ls-remote", "--tags", "--refs", url], in: "/")
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
                why: "The new tree depends on a version of the package.",
                fix: "Export the package and push it: modules export ApiCenter Lifecycle ModuleTool")
        }
        return (last.tag, "\(last.version)")
    }
}
