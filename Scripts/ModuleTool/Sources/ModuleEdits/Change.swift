/// One change to a tree. Paths are relative to the tree's root and use `/` as the separator.
package enum Change: Sendable, Equatable {
    /// Creates or replaces a file, and creates its folder if necessary.
    case write(path: String, contents: String)
    /// Creates a file or folder as a copy of another one, which may be outside the tree.
    case copy(path: String, from: String)
    /// Removes a file, or a folder and all its contents, including files that git ignores.
    case remove(path: String)

    package var path: String {
        switch self {
        case .write(let path, _), .copy(let path, _), .remove(let path): path
        }
    }
}
