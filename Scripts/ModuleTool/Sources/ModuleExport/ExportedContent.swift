import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// The files of an exported package: those of the tree, its manifest rewritten, and what an outsider needs
/// besides: a README, the change notes, a list of what git leaves alone.
struct ExportedContent {
    /// Contents by path.
    private(set) var files: [String: Data]

    /// The files whose text is the tool's own. A release that stands keeps its own: a new wording is no reason
    /// for a new version.
    private(set) var wording: Set<String> = []

    init(_ manifest: ExportedManifest, podspecs: Podspecs?, root: String) throws {
        let package = manifest.package
        files = try Self.sources(of: package, root: root)
        let source = files["Package.swift"].map { String(decoding: $0, as: UTF8.self) } ?? ""
        let written = try manifest.text(source)
        add("Package.swift", written)
        if let imp = package.imp {
            let target = ExportedPackage.withImp(package.name)
            word("Sources/\(target)/\(target).swift", Self.entry(to: imp.name, api: package.name))
        }
        let readme = ExportedReadme(package: package, addresses: manifest.addresses)
        if files["README.md"] == nil { word("README.md", readme.text) }
        if !package.notes.isEmpty { add("CHANGES.md", readme.changes) }
        word(
            ".gitignore",
            ".build*/\n.swiftpm/\nPackage.resolved\n*.xcodeproj\nxcuserdata/\nDerivedData/\n.DS_Store\n")
        for name in ["LICENSE", "LICENSE.md", "LICENSE.txt"] where files[name] == nil {
            files[name] = FileManager.default.contents(atPath: "\(root)/\(name)")
        }
        for (name, text) in try podspecs?.texts(of: manifest, source: written, files: files) ?? [:] {
            add(name, text)
        }
    }

    private mutating func add(_ path: String, _ text: String) { files[path] = Data(text.utf8) }

    private mutating func word(_ path: String, _ text: String) {
        add(path, text)
        wording.insert(path)
    }

    /// The paths of the files that differ from those of a release, wording apart.
    func differences(from release: [String: Data]) -> [String] {
        Set(files.keys).union(release.keys).filter { path in
            files[path] != release[path]
                && (!wording.contains(path) || files[path] == nil || release[path] == nil)
        }.sorted()
    }

    /// The second product's only source: the IMP's one public type, by the name that it has in the app.
    private static func entry(to imp: String, api: String) -> String {
        """
        import \(imp)

        /// Registers \(imp), the implementation of \(api), in a center: `\(imp)Module().register(in: .shared)`.
        ///
        /// Made by `Scripts/modules export`. Who calls \(imp) imports \(api) alone; the app imports this once, and
        /// \(imp) too where it turns MemberImportVisibility on.
        public typealias \(imp)Module = \(imp).\(imp)Module

        """
    }

    /// The files of the package that git knows or would add.
    private static func sources(of package: ExportedPackage, root: String) throws -> [String: Data] {
        let folder = "\(root)/\(package.source.path)"
        let output = try Command.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."], in: folder)
        guard output.status == 0 else {
            throw TreeError(
                .environment, package.source.path, what: "git ls-files failed: \(output.standardError)",
                why: "what git ignores is not exported", mend: "run it by hand in \(folder)")
        }
        var files: [String: Data] = [:]
        for path in output.text.split(separator: "\0").map(String.init) where path != "Package.resolved" {
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
            guard let kind = attributes?[.type] as? FileAttributeType else { continue }
            guard kind == .typeRegular, let data = FileManager.default.contents(atPath: "\(folder)/\(path)")
            else {
                throw EditError(
                    .refused, at: "\(package.source.path)/\(path)", "it is no file that can be read.",
                    why: "A link would lead nowhere outside.", mend: "Put the file itself in its place.")
            }
            files[path] = data
        }
        if let readme = files["README.md"] { try refuseLinksOut(of: readme, in: package) }
        return files
    }

    private static func refuseLinksOut(of readme: Data, in package: ExportedPackage) throws(EditError) {
        for (index, line) in String(decoding: readme, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() where line.contains("](../") {
            throw EditError(
                .refused, at: "\(package.source.path)/README.md:\(index + 1)",
                "the link leads out of the package.", why: "Outside there is nothing beside it.",
                mend: "Name what it links to, without a link.")
        }
    }
}
