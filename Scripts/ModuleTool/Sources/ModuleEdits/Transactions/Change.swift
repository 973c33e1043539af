import Foundation

/// One change to a tree. Paths are relative to the tree's root and use `/` as the separator.
package enum Change: Sendable, Equatable {
    /// Creates or replaces a file, and creates its folder if necessary.
    case write(path: String, contents: String)
    /// Removes a folder and all its contents, including files that git ignores.
    case removeFolder(path: String)
    /// Removes a folder if it is empty after the previous changes.
    case removeFolderIfEmpty(path: String)

    /// The path of the changed file or folder.
    package var path: String {
        switch self {
        case .write(let path, _), .removeFolder(let path), .removeFolderIfEmpty(let path): path
        }
    }
}
