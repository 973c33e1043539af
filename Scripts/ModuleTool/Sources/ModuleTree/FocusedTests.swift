import ModuleKit

/// The tests of the package that `modules focus` makes of a package and its dependencies.
package struct FocusedTests: Sendable {
    /// The folder of the package, relative to the root.
    package let folder: String
    /// For each test target, the path of the package in the tree that declares the target.
    package let tests: [String: String]

    package init(in folder: String, tests: [String: String]) { (self.folder, self.tests) = (folder, tests) }

    package var manifest: String { PathText.join(folder, "Package.swift") }
}
