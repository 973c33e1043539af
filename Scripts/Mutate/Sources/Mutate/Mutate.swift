import Foundation

/// Changes one operator, constant or statement of a package at a time, and reports the changes that no test notices.
@main struct Mutate {
    static let help = """
        Changes a package's sources, one change at a time, in a copy of the tree, and reports the changes that no test notices.

        usage: Scripts/mutate PACKAGE [--count N] [--seed N] [--limit SECONDS] [--minimum PERCENT] [--file NAME] [--root]
          PACKAGE             the folder of a package, such as Packages/Base/Routes
          --count N           the number of changes that compile; 40 by default
          --seed N            chooses the changes; 1 by default
          --limit SECONDS     the time after which tests count as hung; 300 by default
          --minimum PERCENT   fail if a smaller part of the changes is noticed; 95 by default
          --file NAME         change only the source files with this name
          --root              run the root's tests for a change that the package's own tests do not notice
        Scripts/Mutate/equivalent.txt lists changes that change nothing.
        """

    static func main() {
        do { exit(try Mutate(CommandLine.arguments.dropFirst()).run() ? 0 : 1) } catch {
            FileHandle.standardError.write(Data("mutate: \(error)\n".utf8))
            exit(2)
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private var numbers = ["--count": 40, "--seed": 1, "--limit": 300, "--minimum": 95]
    private var (package, file, usesRoot) = ("", String?.none, false)

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h":
                print(Self.help)
                exit(0)
            case "--root": usesRoot = true
            case "--file": file = rest.popFirst()
            case let option where numbers[option] != nil:
                guard let number = rest.popFirst().flatMap({ Int($0) }), number >= 0 else {
                    throw Failure("\(option) needs a number. See: Scripts/mutate --help")
                }
                numbers[option] = number
            case let path where package.isEmpty && !path.hasPrefix("-"):
                package = path.hasSuffix("/") ? String(path.dropLast()) : path
            default: throw Failure("unknown argument '\(argument)'. See: Scripts/mutate --help")
            }
        }
        guard FileManager.default.fileExists(atPath: package + "/Package.swift") else {
            throw Failure(
                "\(package.isEmpty ? "PACKAGE" : package) is not the folder of a package. See: Scripts/mutate --help"
            )
        }
    }

    /// Returns whether enough changes were noticed.
    func run() throws -> Bool {
        guard let copy = ProcessInfo.processInfo.environment["MUTATE_COPY"] else {
            throw Failure("MUTATE_COPY names no folder. Run Scripts/mutate, which makes one")
        }
        let folder = "\(copy)/\(package)"
        guard try test(folder) == 0 else {
            throw Failure(
                "the tests of \(package) fail without a change. Mend them first: swift test --package-path \(package)"
            )
        }
        let equivalent = Set(
            ((try? String(contentsOfFile: "Scripts/Mutate/equivalent.txt", encoding: .utf8)) ?? "")
                .components(separatedBy: "\n").compactMap { $0.components(separatedBy: "  # ").first })
        var random = SplitMix(state: UInt64(numbers["--seed"] ?? 1))
        let all = try mutations(in: folder).filter { !equivalent.contains("\(package)/\($0.name)") }
            .shuffled(using: &random)
        var (noticed, survivors) = (0, 0)
        for mutation in all where noticed + survivors < numbers["--count"] ?? 40 {
            guard let result = try result(of: mutation, folder, copy) else { continue }
            if result == "survived" { survivors += 1 } else { noticed += 1 }
            if result != "noticed" { print("\(result): \(package)/\(mutation.name) (line \(mutation.line))") }
        }
        let judged = noticed + survivors
        print("\(package): \(noticed) of \(judged) changes noticed, of \(all.count) possible ones")
        return noticed * 100 >= judged * (numbers["--minimum"] ?? 95)
    }

    private func mutations(in folder: String) throws -> [Mutation] {
        let sources = folder + "/Sources"
        let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") }.sorted()
            .filter { file == nil || ($0 as NSString).lastPathComponent == file }
            .flatMap {
                Mutation.all(
                    in: try String(contentsOfFile: "\(sources)/\($0)", encoding: .utf8), file: "Sources/\($0)"
                )
            }
    }

    /// Makes the change, and undoes it.
    ///
    /// - Returns: `noticed`, `survived`, or `hung` if the tests had to be ended; nil if the change does not compile.
    private func result(of mutation: Mutation, _ folder: String, _ root: String) throws -> String? {
        let path = "\(folder)/\(mutation.file)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var lines = text.components(separatedBy: "\n")
        lines[mutation.line - 1] = mutation.after
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? text.write(toFile: path, atomically: true, encoding: .utf8) }
        guard try shell("swift build --build-tests --package-path \"$0\"", folder) == 0 else { return nil }
        var status = try test(folder)
        if status == 0, usesRoot { status = try test(root) }
        return status == 0 ? "survived" : status == 137 ? "hung" : "noticed"
    }

    /// Runs a package's tests. Returns 137 if they exceed the limit.
    private func test(_ folder: String) throws -> Int32 {
        // SwiftPM starts the tests in a process group of their own, whose arguments name the folder.
        try shell(
            """
            end() { pkill -KILL -f "$0/.build/.*xctest"; kill -KILL $tests; }
            trap 'end; kill $watch; exit 130' INT TERM
            swift test --package-path "$0" & tests=$!
            (sleep \(numbers["--limit"] ?? 300); end) & watch=$!
            wait $tests; status=$?; kill $watch; exit $status
            """, folder)
    }

    private func shell(_ script: String, _ argument: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", "-c", script, argument]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// A generator whose numbers depend on its seed alone.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
