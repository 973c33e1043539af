import Foundation

/// One change to a tree. Paths are relative to the tree's root, with `/` between components.
package enum Change: Sendable, Equatable {
    /// Makes a file have these contents; its folder is made as well.
    case write(path: String, contents: String)
    /// Removes a folder with all that is in it, files that git ignores too.
    case removeFolder(path: String)
    /// Removes a folder if nothing is in it by then.
    case removeFolderIfEmpty(path: String)

    /// What is changed.
    package var path: String {
        switch self {
        case .write(let path, _), .removeFolder(let path), .removeFolderIfEmpty(let path): path
        }
    }
}
