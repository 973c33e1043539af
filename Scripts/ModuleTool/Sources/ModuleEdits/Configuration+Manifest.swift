import ModuleKit
import ModuleTree

extension Configuration.Source {
    /// The dependency on this package in the manifest of a package in a folder of the tree.
    package func declaration(from folder: String) -> String {
        switch self {
        case .path(let path): ".package(path: \"\(PathText.path(to: path, from: folder))\")"
        case .url(let url, let version): ".package(url: \"\(url)\", from: \"\(version)\")"
        }
    }
}

extension Configuration.NewPackages {
    /// The list of platforms in a manifest: `.macOS(.v15), .iOS("18.2")`.
    package var platformList: String {
        PlatformName.versioned.compactMap { name in
            platforms[name].map { Int($0) == nil ? ".\(name)(\"\($0)\")" : ".\(name)(.v\($0))" }
        }.joined(separator: ", ")
    }
}
