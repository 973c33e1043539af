import Foundation
import ModuleKit

/// What the outcome of tests depends on besides the files of the tree: the toolchain, the platform, environment
/// variables and programs.
package struct Machine: Sendable {
    /// The compiler's version and the target it compiles for.
    package var toolchain: String
    /// The folder of the toolchain's libraries, whose contents the version describes.
    package var libraries = "/usr/lib/swift"
    package var platform: String
    package var environment: [String: String]
}

extension Machine {
    /// This machine, as the `swift` in `PATH` describes it.
    package init(in folder: String) throws {
        let output = try Command.run(["swift", "-print-target-info"], in: folder)
        let pattern =
            /"compilerVersion": "(.*)"(?s:.*?)"triple": "(.*)"(?s:.*?)"runtimeResourcePath": "(.*)"/
        guard output.status == 0, let info = output.text.firstMatch(of: pattern) else {
            throw Diagnostic(
                .environment, at: "swift -print-target-info", "does not describe the toolchain",
                why: "A test that passed with one toolchain may fail with another.",
                fix: "Install a Swift toolchain, and make sure that swift is in PATH.")
        }
        self.init(
            toolchain: info.1 + " " + info.2, libraries: String(info.3),
            platform: ProcessInfo.processInfo.operatingSystemVersionString,
            environment: Command.environment)
    }

    /// The variables by which compilers and loaders find files. They are part of every key.
    private static let searchPaths = [
        "AR", "CC", "COMPILER_PATH", "CPATH", "CPLUS_INCLUDE_PATH", "CXX", "C_INCLUDE_PATH", "DEVELOPER_DIR",
        "LIBRARY_PATH", "MACOSX_DEPLOYMENT_TARGET", "OBJC_INCLUDE_PATH", "PKG_CONFIG_PATH", "SDKROOT",
        "SOURCE_DATE_EPOCH", "TOOLCHAINS",
    ]

    /// The values of the variables that compilers and loaders read, also of all that begin with SWIFT, LD_, DYLD_ and
    /// CCC_.
    var settings: [String: String] {
        environment.filter { name, _ in
            Self.searchPaths.contains(name)
                || ["SWIFT", "LD_", "DYLD_", "CCC_"].contains(where: name.hasPrefix)
        }
    }

    /// The inputs of all builds with some options, and why there may be more; nil if there are none. The inputs include the
    /// files that options and variables name.
    ///
    /// - Parameter folder: The absolute path of the package.
    func inputs(of options: SwiftOptions, in folder: String) -> (values: [String: String], reason: String?) {
        var values = [
            "/toolchain": toolchain, "/platform": platform,
            "/set of options": options.arguments.joined(separator: "\0"),
        ]
        var reason: String?
        for (name, value) in settings { values["/variable " + name] = "=" + value }
        let names = settings.values.flatMap(SwiftOptions.names).filter { $0.hasPrefix("/") }
        for name in options.names + names {
            let path = PathText.join(folder, name)
            if Command.isFile(path) {
                values["/file " + name] = FileContent(path).digest
            } else if options.names.contains(name), FileManager.default.fileExists(atPath: path),
                !(path + "/").hasPrefix(libraries + "/")
            {
                reason = "the option \(name) names a folder"
            }
        }
        return (values, reason)
    }

    func value(of variable: String) -> String { environment[variable].map { "=" + $0 } ?? "not set" }

    /// The digests of programs, given by their absolute paths or by their names in `PATH`.
    ///
    /// - Complexity: O(*bytes of the programs*), so ask once for all.
    func digests(of programs: Set<String>) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: programs.map { name in
                let path = Command.path(of: name, in: environment["PATH"] ?? "")
                return (name, path.map { FileContent($0).digest } ?? "missing")
            })
    }
}
