import Foundation
import PackagePlugin

/// Checks the rules of the tree whenever a target is built, and fails the build with the findings.
@main
struct Plugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        try check(from: context.package.directoryURL, in: context.pluginWorkDirectoryURL)
    }

    /// - Parameters:
    ///   - folder: A folder of the tree.
    ///   - work: The only folder to which macOS lets the command write.
    fileprivate func check(from folder: URL, in work: URL) throws -> [Command] {
        let root = try root(around: folder)
        let launcher = URL(filePath: #filePath).appending(path: "../../../check").standardizedFileURL
        // The build compiles the output, so it must be a Swift file.
        let output = work.appending(path: "ModuleCheck.swift")
        return [
            .buildCommand(
                displayName: "Checking the rules of \(root.lastPathComponent)",
                executable: URL(filePath: "/bin/bash"),
                arguments: [launcher.path, root.path, work.path, output.path],
                inputFiles: [launcher] + inputs(in: root, besides: work), outputFiles: [output])
        ]
    }

    private func root(around folder: URL) throws -> URL {
        var root = folder
        while !FileManager.default.fileExists(atPath: root.appending(path: ".modules.yml").path) {
            guard root.path != "/" else { throw NoTree(folder: folder.path) }
            root.deleteLastPathComponent()
        }
        return root
    }

    /// The files that the check reads, the script that names the tool's version, and the folders around the sources,
    /// which change when a file is added or removed. A build folder in the tree is left out: files that depend on the
    /// command's output would make the build a cycle.
    ///
    /// - Parameter work: The plugin's folder in the build folder.
    private func inputs(in root: URL, besides work: URL) -> [URL] {
        let subfolders = ["plugins/outputs", "Intermediates.noindex"]  // of SwiftPM and Xcode
        let folders = sequence(first: work) { $0.deletingLastPathComponent() }
            .prefix { $0.path.count > root.path.count }
        let build = folders.first { folder in
            subfolders.contains { work.path.hasPrefix("\(folder.path)/\($0)/") }
        }
        let names = [".modules.yml", "modules-baseline.json", "Scripts/modules", "scripts/modules"]
        var inputs = Set(
            names.map { root.appending(path: $0) }.filter { FileManager.default.fileExists(atPath: $0.path) })
        inputs.insert(root)
        let files = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            guard !file.path.hasPrefix("\((build ?? work).path)/") else { continue }
            var place = file
            while place.path.count > root.path.count, inputs.insert(place).inserted {
                place.deleteLastPathComponent()
            }
        }
        return inputs.sorted { $0.path < $1.path }
    }
}

struct NoTree: Error, CustomStringConvertible {
    let folder: String

    var description: String {
        "No folder around \(folder) has the file .modules.yml, which `modules init` writes."
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension Plugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
        try check(from: context.xcodeProject.directoryURL, in: context.pluginWorkDirectoryURL)
    }
}
#endif
