import Foundation
import ModuleEdits
import ModuleTree
import ModuleVersions

/// The files of an exported package: those of the tree, its manifest rewritten, and what an outsider needs
/// besides: a README, the change notes, a list of what git leaves alone.
struct ExportedContent {
    /// Contents by path.
    private(set) var files: [String: Data]

    /// For each file in which text is the tool's own, what of it is not. A release that stands keeps its wording: a new
    /// one is no reason for a new version.
    private var substance: [String: @Sendable (String) -> String] = [:]

    /// Where the words of a file are from that is not in the package's folder, or not with the same lines.
    private var origins: [String: String] = [:]

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
        if !package.notes.isEmpty { add("CHANGES.md", readme.changes, from: readme.placeOfNotes) }
        add(readme)
        word(
            ".gitignore",
            ".build*/\n.swiftpm/\nPackage.resolved\n*.xcodeproj\nxcuserdata/\nDerivedData/\n.DS_Store\n")
        if !files.keys.contains(where: Podspecs.isLicense) {
            for name in ["LICENSE", "LICENSE.md", "LICENSE.txt"] {
                files[name] = FileManager.default.contents(atPath: "\(root)/\(name)")
                origins[name] = name
            }
        }
        for (name, text) in try podspecs?.texts(of: manifest, source: written, files: files) ?? [:] {
            add(name, text)
            substance[name] = Podspecs.substance(of:)
        }
        try checkLinks(of: own, in: package)
    }

    private mutating func add(_ readme: ExportedReadme) {
        if let own = files["README.md"] {
            add("README.md", readme.text(own: String(decoding: own, as: UTF8.self)))
            substance["README.md"] = ExportedReadme.own
        } else {
            let found = readme.comment(in: files)
            word("README.md", readme.text(found?.comment))
            origins["README.md"] = found?.place ?? readme.placeOfNotes
        }
    }

    /// - Parameter own: The files that are the package's own, before anything was added to them.
    private func checkLinks(of own: [String: Data], in package: ExportedPackage) throws(EditError) {
        let links = ExportedLinks(paths: Set(files.keys))
        for path in files.keys.sorted() where path.hasSuffix(".md") {
            let origin = origins[path]
            let data = origin == nil ? own[path] : files[path]
            try links.check(String(decoding: data ?? Data(), as: UTF8.self), at: path) { line in
                origin ?? "\(package.source.path)/\(path):\(line)"
            }
        }
    }

    private mutating func add(_ path: String, _ text: String, from origin: String? = nil) {
        files[path] = Data(text.utf8)
        origins[path] = origin
    }

    private mutating func word(_ path: String, _ text: String) {
        add(path, text)
        substance[path] = { _ in "" }
    }

    /// The paths of the files that differ from those of a release, wording apart.
    func differences(from release: [String: Data]) -> [String] {
        Set(files.keys).union(release.keys).filter { path in
            guard let file = files[path], let released = release[path] else { return true }
            guard file != released else { return false }
            guard let substance = substance[path] else { return true }
            return substance(String(decoding: file, as: UTF8.self))
                != substance(String(decoding: released, as: UTF8.self))
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
