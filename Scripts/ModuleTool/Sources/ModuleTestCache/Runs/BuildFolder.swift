import Foundation
import ModuleKit

/// The folder in which SwiftPM builds a package with some options, locked until this object is destroyed: a run with
/// other options in the same folder would replace the tests while they run.
package final class BuildFolder {
    /// The absolute paths of the package, of its build folder, and of what is built there.
    private let package: String, path: String, products: String
    private let options: SwiftOptions
    private let lock: FolderLock
    /// The built tests.
    let bundle: String

    /// - Parameters:
    ///   - name: The name of the package in its manifest.
    ///   - package: The absolute path of the package.
    ///   - onWait: Called once if another run uses the folder.
    package init(
        of name: String, in package: String, _ options: SwiftOptions, onWait: (_ folder: String) -> Void
    ) throws {
        self.package = package
        path = PathText.join(self.package, options.scratchPath)
        self.options = options
        products = "\(path)/\(options.configuration)"
        bundle = "\(products)/\(name)PackageTests.xctest"
        let url = URL(filePath: path, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let folder = options.scratchPath
        lock = try FolderLock(url) { onWait(folder) }
    }

    /// Gives a new time to each file whose time a program has set: SwiftPM compares only sizes and times, so it may have
    /// compiled the file with other contents. If this is not permitted, deletes what was built.
    ///
    /// - Parameter all: All test targets of the package.
    /// - Returns: Whether a file has a new time.
    package func touch(_ all: [TestTarget], in root: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: path + "/build.db") else { return false }
        let restored = all.reduce(into: Set()) { $0.formUnion($1.restored) }
        let failed = restored.filter { unsafe utimes(root + "/" + $0, nil) != 0 }
        if !failed.isEmpty {
            try FileManager.default.removeItem(at: URL(filePath: products).resolvingSymlinksInPath())
        }
        return !restored.isEmpty
    }

    /// Builds the package with some of its tests, and returns the exit status of `swift build`, whose output is shown.
    ///
    /// Test targets that were built before stay in the build, so that the variable with their names keeps its value: for
    /// each new value, SwiftPM evaluates all manifests again, which takes longer than compiling a few targets.
    ///
    /// SwiftPM plans the build, unless it keeps a plan that an earlier build has made from the same inputs.
    ///
    /// - Parameters:
    ///   - targets: The targets to test.
    ///   - all: All test targets of the package.
    ///   - inputs: What a plan is made from; nil if that is not known.
    ///   - environment: The environment of `swift build`.
    package func build(
        _ targets: [TestTarget], of all: [TestTarget], from inputs: PlanInputs?,
        environment: [String: String] = Command.environment
    ) throws -> Int32 {
        // SwiftPM leaves deleted resources in these folders, and fills missing ones.
        for name in Command.names(in: products)
        where [".resources", ".bundle"].contains(where: name.hasSuffix) {
            try FileManager.default.removeItem(atPath: "\(products)/\(name)")
        }
        let modules = Set(Command.names(in: "\(products)/Modules"))
        let built = all.filter { modules.contains($0.module + ".swiftmodule") }
        let names = Set((targets + built).flatMap(\.tests))
        let some = "\(ManifestVariables.testTargets)=\(names.sorted().joined(separator: ","))"
        // SwiftPM passes traits to the compiler in the order of a hash table. Without this variable, the order would
        // differ from build to build, and everything that has traits would be compiled again. Tests run without it.
        let variables =
            ["-u", "SWIFTPM_BUILD_DIR", "SWIFT_DETERMINISTIC_HASHING=1"]
            + (names == Set(all.flatMap(\.tests)) ? [] : [some])
        func command(_ planning: [String]) -> [String] {
            variables + ["swift", "build", "--build-tests"] + planning + options.forBuilds
        }
        // Without a record, SwiftPM plans, so nothing of this may end the run.
        let before = try? inputs?.state()
        let digest = before?.digest(with: [package] + command([]), environment)
        let kept = KeptPlan(in: path, options.configuration)
        let knowledge = digest.map(kept.knowledge) ?? .unknown
        let plan = kept.times
        try kept.forget()
        var isKept = knowledge != .unknown
        var run = try Command.show(command(isKept ? [] : SwiftOptions.planning), in: package, environment)
        // Another build, for which this one had to wait, may have made the plan that this one has used.
        if knowledge == .used, run.status == 0, kept.times != plan {
            isKept = false
            run = try Command.show(command(SwiftOptions.planning), in: package, environment)
        }
        if run.status == 0, let digest, let before, (try? inputs?.state()) == before {
            try? kept.keep(digest, by: run.process, isUsed: isKept)
        }
        return run.status
    }
}
