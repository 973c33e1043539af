import ModuleKit

/// The options after `--`: those of `swift build` that are known to leave out no test.
package struct SwiftOptions: Sendable {
    /// The options, with each value as an argument of its own.
    let arguments: [String]
    /// The options that have a value.
    private let values: [(name: String, value: String)]

    private static let flags: Set = [
        "--disable-automatic-resolution", "--disable-default-traits", "--disable-local-rpath",
        "--disable-sandbox", "--enable-all-traits", "--force-resolved-versions", "--no-parallel",
        "--no-static-swift-stdlib", "--parallel", "--quiet", "--skip-update", "--static-swift-stdlib",
        "--verbose", "--very-verbose", "-q", "-v",
    ]
    private static let valued: Set = [
        "--build-path", "--configuration", "--jobs", "--sanitize", "--scratch-path", "--toolset", "--traits",
        "-Xcc", "-Xcxx", "-Xlinker", "-Xswiftc", "-c", "-debug-info-format", "-j",
    ]

    /// - Throws: If an option is unknown: it may leave out tests, or test something other than the current files.
    package init(_ options: [String] = []) throws {
        var (arguments, values) = ([String](), [(name: String, value: String)]())
        var rest = options[...]
        while let option = rest.popFirst() {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if Self.flags.contains(option) {
                arguments.append(option)
            } else if Self.valued.contains(name),
                let value = parts.count == 2 ? String(parts[1]) : rest.popFirst()
            {
                values.append((name == "--build-path" ? "--scratch-path" : name, value))
                arguments += [values[values.count - 1].name, value]
            } else {
                throw Diagnostic(
                    .configuration, at: option, "cannot be used here",
                    why: "A result is stored only if all tests of a target ran with the current files.",
                    fix: "Remove \(option), or use swift test itself.")
            }
        }
        (self.arguments, self.values) = (arguments, values)
    }

    /// Whether the options enable or disable traits.
    package var selectTraits: Bool {
        !Set(arguments).isDisjoint(with: ["--disable-default-traits", "--enable-all-traits", "--traits"])
    }

    /// The last value of an option, which counts.
    private func value(of names: String...) -> String? {
        values.last { names.contains($0.name) }?.value
    }

    /// The build folder, which may be relative to the package.
    var scratchPath: String { value(of: "--scratch-path") ?? ".build" }
    var configuration: String { value(of: "-c", "--configuration") ?? "debug" }
    /// The option with which SwiftPM plans a build anew. Otherwise it misses new and deleted files of the packages that the
    /// tested one depends on.
    static let planning = ["--disable-build-manifest-caching"]
    /// The options of `swift build`. It uses the native build system, whose files this tool knows.
    var forBuilds: [String] {
        arguments.filter { !["--parallel", "--no-parallel"].contains($0) }
            + ["--build-system", "native", "--scratch-path", scratchPath]
    }
    var forTests: [String] { arguments.filter { $0 == "--no-parallel" } }

    /// The parts of the options that may name files: `@list`, `-Ifolder` and `-Wl,library`.
    var names: [String] {
        zip([""] + arguments, arguments).filter { option, _ in
            option.hasPrefix("-X") || option == "--toolset"
        }.flatMap { Self.names(in: $1) }
    }

    static func names(in text: String) -> [String] {
        // A path may follow an option without a space.
        let joined = /-(?:idirafter|iframework|imacros|include|iquote|isystem|ivfsoverlay|.)(.+)/
        let parts: [Substring] = [text[...]] + text.split { "@=,:#".contains($0) }
        return parts.flatMap { part -> [String] in
            [String(part)] + (part.wholeMatch(of: joined).map { [String($0.1)] } ?? [])
        }
    }
}
