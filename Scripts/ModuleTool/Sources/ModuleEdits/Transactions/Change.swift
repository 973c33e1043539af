/// One change to a tree. Paths are relative to the tree's root and use `/` as the separator.
package enum Change: Sendable, Equatable {
    /// Creates or replaces a file, and creates its folder if necessary.
    case write(path: String, contents: String)
    /// Creates a file with the bytes of another file.
    case copy(path: String, from: String)
    /// Removes a folder and all its contents, including files that git ignores.
    case removeFolder(path: String)

    package var path: String {
        switch self {
        case .write(let path, _), .copy(let path, _), .removeFolder(let path): path
        }
    }
}
