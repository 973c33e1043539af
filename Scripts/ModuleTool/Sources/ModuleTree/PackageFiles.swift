import ModuleKit

/// The files of a package's targets at one moment: now, or at a past commit.
///
/// The files have names that stay the same when a target's folder, the package or the whole tree moves.
package struct PackageFiles: Sendable {
    package let manifest: Manifest
    /// The folder of the package, relative to the root of the tree.
    package let folder: String
    /// The paths of the files in the folders of all targets except tests, by the name `Target/Folder/File.swift`. A file
    /// that a symbolic link leads to has its own path, and the name that it has below the link.
    package private(set) var paths: [String: String] = [:]
    /// The names of those Swift files that the targets compile.
    package private(set) var compiled: Set<String> = []

    /// - Parameters:
    ///   - folder: The folder of the package, relative to the root of the tree.
    ///   - files: The paths of the tree's files, relative to the root.
    ///   - links: The symbolic links in the package, outer ones first, each with the file or folder that it leads to.
    package init(
        _ manifest: Manifest, in folder: String, of files: Set<String>, links: [FileListing.Link] = []
    ) {
        (self.manifest, self.folder) = (manifest, folder)
        var own = folder.isEmpty ? files : files.filter { $0.isInside(folder) }
        var linked: [String: String] = [:]
        for (link, target) in links {
            own.remove(link)
            for file in files where file.isInside(target) {
                linked[link + file.dropFirst(target.count)] = file
            }
        }
        own.formUnion(linked.keys)
        let swift = own.filter { $0.hasSuffix(".swift") }.sorted()
        var folders: Set<String> = []
        for path in own {
            for folder in PathText.upward(PathText.split(path).folder)
            where !folders.insert(folder).inserted { break }
        }
        let sources = TargetFiles(swift, folders: folders)
        for target in manifest.targets where target.kind != .test {
            let place = sources.folder(of: target, in: folder, of: manifest)
            func name(_ path: String) -> String {
                target.name + "/" + (place.isEmpty ? path : String(path.dropFirst(place.count + 1)))
            }
            for path in own where place.isEmpty || path.isInside(place) {
                paths[name(path)] = linked[path] ?? path
            }
            compiled.formUnion(sources.files(of: target, folder: place).map { name(swift[$0]) })
        }
    }

    /// The folder of a package with this name, which is the name of its folder. A package in the tests of another one is
    /// a fixture.
    ///
    /// - Parameter usual: The folder in which the package is now.
    package static func folder(of name: String, usually usual: String, in files: Set<String>) -> String? {
        if files.contains(PathText.manifest(in: usual)) { return usual }
        let manifest = PathText.manifest(in: name)
        let found = files.filter { $0 == manifest || $0.hasSuffix("/" + manifest) }.map {
            PathText.split($0).folder
        }
        return found.min {
            ($0.split(separator: "/").contains("Tests") ? 1 : 0, $0) < (
                $1.split(separator: "/").contains("Tests") ? 1 : 0, $1
            )
        }
    }
}
