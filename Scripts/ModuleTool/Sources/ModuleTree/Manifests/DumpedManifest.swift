import Foundation
import ModuleKit

/// Reads a manifest by running `swift package dump-package`.
enum DumpedManifest {
    /// The compiler flags after which an import does not show the name of the used module.
    static let renamingFlags = ["-module-alias", "-import-module"]

    /// SwiftPM's output for the package in a folder. The paths in the output are absolute.
    struct Output: Codable {
        let folder: String
        let json: Data
    }

    /// Runs SwiftPM for the package in a folder, given as an absolute path.
    static func run(in folder: String) throws -> Output {
        // Uses a temporary scratch folder, because a build can lock the package's `.build` for minutes.
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "moduletool-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        // On macOS, a check in a build runs in a sandbox already, and a sandbox cannot start another one.
        let isInBuild = ProcessInfo.processInfo.environment["MODULETOOL_IN_BUILD"] != nil
        let output = try Command.run(
            ["swift", "package", "--package-path", folder, "--scratch-path", scratch.path()]
                + (isInBuild ? ["--disable-sandbox"] : []) + ["dump-package"], in: folder)
        guard output.status == 0 else {
            throw Diagnostic(
                .configuration, at: folder + "/Package.swift",
                "SwiftPM cannot read the manifest:\n\(output.standardError)",
                why: "Skipping the package would hide its mistakes.",
                fix:
                    "Correct the manifest. This command prints all errors: swift package --package-path \(folder) dump-package"
            )
        }
        return Output(folder: folder, json: output.standardOutput)
    }

    /// Runs SwiftPM for a manifest that is not on the disk, without the package's files.
    ///
    /// - Parameter name: The name of the package's folder.
    static func run(_ manifest: [UInt8], named name: String) throws -> Output {
        let outer = FileManager.default.temporaryDirectory.appending(path: "moduletool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: outer) }
        let folder = outer.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(manifest).write(to: folder.appending(path: "Package.swift"))
        return try run(in: folder.path)
    }

    /// Reads SwiftPM's output, and finds the places of the declarations in the manifest's text.
    static func read(_ output: Output, _ source: ManifestSource) throws -> Manifest {
        try decode(output) { try $0.manifest(source, in: output.folder) }
    }

    /// Reads how SwiftPM builds the package.
    static func build(_ output: Output) throws -> BuildManifest { try decode(output) { try $0.build() } }

    private static func decode<Value>(_ output: Output, _ read: (ManifestDump) throws -> Value) throws
        -> Value
    {
        do { return try read(ManifestDump(output.json)) } catch {
            throw Diagnostic(
                .environment, at: output.folder + "/Package.swift",
                "the output of `swift package dump-package` cannot be decoded: \(error)",
                why: "Its format may have changed with the Swift version.",
                fix: "Use only literals and plain lists, or update ManifestDump.swift.")
        }
    }
}
