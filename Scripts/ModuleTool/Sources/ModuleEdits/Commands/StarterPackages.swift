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

    private static let names = ["ApiCenter", "Lifecycle"]
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
        let names = Self.names + (checksBuilds ? [Self.plugin] : [])
        var uses: [String: Configuration.Source] = [:]
        for name in names {
            guard case .addresses(let template) = self else {
                uses[name] = .path("\(folder)/\(name)")
                continue
            }
            let url = template.address(of: name)
            uses[name] = .url(url, from: try Self.release(at: url).text)
        }
        guard case .copies(let tool) = self else { return (uses, [:]) }
        return (uses, try Self.copies(of: names, tool: tool, to: folder))
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

    /// The files of these packages and of all their dependencies, by path. All copies lie side by side in `folder`.
    private static func copies(
        of names: [String], tool: String, to folder: String
    ) throws(Diagnostic) -> [String: String] {
        let house = try HouseRoot(URL(filePath: PathText.join(tool, "../..")))
        let folders = house.packageFolders() + ["Scripts/" + plugin]
        var (waiting, found, files) = (names, Set<String>(), [String: String]())
        while let name = waiting.popLast() {
            guard found.insert(name).inserted else { continue }
            guard let source = folders.first(where: { $0.hasSuffix("/" + name) }) else {
                throw noCopies(tool)
            }
            for path in house.files(in: source) {
                var text = try house.text(path)
                if path == source + "/Package.swift" {
                    var manifest = try ManifestSource(text, in: "/" + source)
                    for call in manifest.calls where call.name == "package" {
                        guard let path = call["path"], let other = path.literal else { continue }
                        let name = PathText.split(other).name
                        waiting.append(name)
                        manifest.edits.replace(path.position, path.endPosition, with: "\"../\(name)\"")
                    }
                    text = manifest.text
                }
                files["\(folder)/\(name)\(path.dropFirst(source.count))"] = text
            }
        }
        return files
    }

    private static func noCopies(_ tool: String) -> Diagnostic {
        Diagnostic(
            .configuration, at: tool, "this tool is not in a git repository with the packages to copy.",
            why: "--packages copy copies \(names.joined(separator: " and ")) from the tool's own repository.",
            fix: "Pass the address of the exported packages: --packages \"https://github.com/acme/{name}\"")
    }

    /// The highest release at an address.
    private static func release(at url: String) throws -> (tag: String, text: String) {
        let output = try Command.run(
            ["env", "GIT_TERMINAL_PROMPT=0", "git", "ls-remote", "--tags", "--refs", url], in: "/")
        let tags = output.text.split(separator: "\n").compactMap {
            line -> (tag: String, version: SemanticVersion)? in
            let tag = String(line.split(separator: "/").last ?? "")
            return SemanticVersion(String(tag.trimmingPrefix("v"))).map { (tag, $0) }
        }.filter { $0.version.prerelease.isEmpty }
        guard let last = tags.max(by: { $0.version < $1.version }) else {
            throw Diagnostic(
                output.status == 0 ? .configuration : .environment, at: url,
                output.status == 0
                    ? "this repository has no version tag."
                    : "git cannot read this repository: \(output.standardError.prefix { $0 != "\n" })",
                why: "The new tree depends on a version of the package.",
                fix:
                    "Export the package and push it: modules export \(names.joined(separator: " ")) ModuleTool"
            )
        }
        return (last.tag, "\(last.version)")
    }
}
