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
        let readme = ExportedReadme(package: package, set: manifest.set, addresses: manifest.addresses)
        let own = files
        if !package.notes.isEmpty { add("CHANGES.md", readme.changes) }
        add(readme)
        word(
            ".gitignore",
            ".build*/\n.swiftpm/\nPackage.resolved\n*.xcodeproj\nxcuserdata/\nDerivedData/\n.DS_Store\n")
        for name in ["LICENSE", "LICENSE.md", "LICENSE.txt"] where files[name] == nil {
            files[name] = FileManager.default.contents(atPath: "\(root)/\(name)")
        }
        for (name, text) in try podspecs?.texts(of: manifest, source: written, files: files) ?? [:] {
            add(name, text)
        }
        try checkLinks(of: own, in: package)
    }

    private mutating func add(_ readme: ExportedReadme) {
        if let own = files["README.md"] {
            add("README.md", readme.text(own: String(decoding: own, as: UTF8.self)))
        } else {
            let sources = files.filter { $0.key.hasPrefix("Sources/") && $0.key.hasSuffix(".swift") }
            word(
                "README.md",
                readme.text(
                    sources.sorted { $0.key < $1.key }.map { String(decoding: $0.value, as: UTF8.self) }))
        }
    }

    /// - Parameter own: The files that are the package's own.
    private func checkLinks(of own: [String: Data], in package: ExportedPackage) throws(EditError) {
        let links = ExportedLinks(paths: Set(files.keys))
        for path in files.keys.sorted() where path.hasSuffix(".md") {
            let text = String(decoding: own[path] ?? files[path] ?? Data(), as: UTF8.self)
            // The notes are from elsewhere.
            let place =
                own[path] == nil
                ? "VERSIONS.md, \(package.source.pairName)" : "\(package.source.path)/\(path)"
            try links.check(text, at: path, place: place)
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
            guard let file = files[path], let released = release[path] else { return true }
            guard file != released, !wording.contains(path) else { return false }
            // Of a README the part that says how to depend on the package is the tool's.
            func own(_ data: Data) -> String { ExportedReadme.own(String(decoding: data, as: UTF8.self)) }
            return path != "README.md" || own(file) != own(released)
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
        return files
    }
}
