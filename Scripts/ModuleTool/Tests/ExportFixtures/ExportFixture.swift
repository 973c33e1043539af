import Foundation
import ModuleExport
import ModuleFixtures
import ModuleKit
import ModuleTree
import ModuleVersions
import Testing

/// The small tree with a git history, and a folder outside the tree for the exported packages.
package final class ExportFixture: Sendable {
    package let tree: TemporaryTree
    private let outside: TemporaryTree

    /// The folder that holds the exported packages.
    package var folder: URL { URL(filePath: outside.root + "/packages", directoryHint: .isDirectory) }

    package init() throws {
        _ = Self.identity
        tree = try SmallTree.make()
        try tree.commit("Start")
        outside = try TemporaryTree(["App/Sources/App/main.swift": ""])
    }

    /// The small tree after its packages have been exported. They are exported once per process, and copied.
    package static func exported() throws -> ExportFixture { try ExportFixture(copying: released.get()) }

    private static let released = Result<ExportFixture, any Error>(catching: {
        let fixture = try ExportFixture()
        HouseFiles.removeAtExit([fixture.tree.root, fixture.outside.root])
        try fixture.export()
        return fixture
    })

    private init(copying other: ExportFixture) throws {
        (tree, outside) = (try HouseFiles.copy(of: other.tree), try HouseFiles.copy(of: other.outside))
    }

    /// Sets the author of commits, because the machine's git settings may not name one.
    private static let identity: Void = {
        for (name, value) in [("NAME", "Tester"), ("EMAIL", "t@example.com")] {
            unsafe setenv("GIT_AUTHOR_\(name)", value, 1)
            unsafe setenv("GIT_COMMITTER_\(name)", value, 1)
        }
    }()

    /// Exports packages and returns the outcome for each, by name.
    @discardableResult
    package func export(
        _ names: String..., isDryRun: Bool = false,
        addresses: AddressTemplate = .siblings, at commit: String? = nil
    ) throws -> [String: Export.Outcome] {
        let read = try TreeReader(root: tree.root).read()
        let set = try ExportSet(read, VersionsFile(tree.read("VERSIONS.md")), names: names)
        let head = try commit ?? GitRepository(root: tree.root).commit("HEAD")
        let export = Export(set, root: tree.root, at: head, to: folder, addresses: addresses)
        return try export.run(isDryRun: isDryRun).reduce(into: [:]) { $0[$1.package.name] = $1.outcome }
    }

    /// Raises the version of Journey's Api and IMP, or of a library, with a change note.
    package func raise(_ name: String, from old: String, to new: String) throws {
        let isPair = name == "Journey"
        try tree.edit(
            "VERSIONS.md", isPair ? "| Journey | \(old) | \(old) | >= \(old) |" : "| \(name) | \(old) |",
            isPair ? "| Journey | \(new) | \(new) | >= \(new) |" : "| \(name) | \(new) |")
        let folder = isPair ? "Business/JourneyApi" : (name == "ErrorCode" ? "Common/" : "Base/") + name
        try tree.edit(
            "Packages/\(folder)/CHANGELOG.md", "## \(old)", "## \(new)\n\n- It is \(new).\n\n## \(old)")
        if isPair { try tree.edit("Packages/Business/Journey/Sources/Journey/JourneyModule.swift", old, new) }
        try tree.commit("\(name) \(new)")
    }

    package func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @discardableResult
    package func git(_ arguments: String..., in package: String) throws -> String {
        let output = try Command.run(["git"] + arguments, in: folder.appending(path: package).path)
        try #require(output.status == 0, "\(arguments): \(output.standardError)")
        return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The modification times of all exported files and folders, including those inside `.git`, by path.
    package func snapshot() throws -> [String: Date] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: (paths + ["."]).map { path in
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: folder.appending(path: path).path)
                return (path, try #require(attributes[.modificationDate] as? Date))
            })
    }

    // MARK: An application outside the tree

    /// Writes an application that depends on the exported packages, and returns its folder.
    package func app(_ dependencies: String, products: String, main: String) throws -> String {
        let places = dependencies.replacing("../", with: "file://\(folder.path)/")
        try outside.write(
            "App/Package.swift",
            """
            // swift-tools-version: 6.3
            import PackageDescription
            let package = Package(
                name: "App", platforms: [.macOS(.v15)],
                dependencies: [\(places)],
                targets: [.executableTarget(name: "App", dependencies: [\(products)])])
            """)
        try outside.write("App/Sources/App/main.swift", main)
        return outside.root + "/App"
    }

    /// Runs SwiftPM on the application, from another folder and with a separate package cache.
    package func swift(_ arguments: String...) throws -> Command.Output {
        let folders = ["--package-path", outside.root + "/App", "--cache-path", outside.root + "/cache"]
        let words = [arguments[0]] + folders + arguments.dropFirst()
        return try Command.run(["swift"] + words, in: tree.root)
    }
}
