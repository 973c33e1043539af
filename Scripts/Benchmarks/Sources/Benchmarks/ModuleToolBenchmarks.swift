import Foundation

/// The benchmarks of Scripts/ModuleTool: `modules check`, run as a separate process. Times are processor
/// time.
func moduleToolBenchmarks() -> [Benchmark] {
    let tool = CheckedTrees()
    func check(
        _ name: String, _ build: CheckedTrees.Build, _ pairs: Int?, isCold: Bool, milliseconds: Double
    ) -> Benchmark {
        Benchmark(
            "modules: \(name)", against: "reading the files", limit: .milliseconds(milliseconds), runs: 5
        ) {
            let run = try tool.check(pairs, build, isCold: isCold)
            return .init(
                ours: run.nanoseconds, baseline: try tool.reading(pairs), value: run.nanoseconds / 1e6)
        }
    }
    return [
        check("a cold check of 250 pairs", .compiled, 250, isCold: true, milliseconds: 2000),
        check("a warm check of 250 pairs", .compiled, 250, isCold: false, milliseconds: 500),
        Benchmark(
            "modules: memory for 250 pairs", against: "50 pairs", limit: .amount(300),
            measure: .amount(unit: " MB"),
            runs: 1
        ) {
            let ours = try tool.check(250, .compiled, isCold: true).megabytes
            return .init(
                ours: ours, baseline: try tool.check(50, .compiled, isCold: true).megabytes, value: ours)
        },
        Benchmark(
            "modules: a cold check of 250 pairs, per pair", against: "of 50 pairs, per pair",
            limit: .ratio(1.3), runs: 5
        ) {
            let ours = try tool.check(250, .compiled, isCold: true).nanoseconds / 250
            // Five checks of 50 pairs take about as long as one of 250.
            let few = try (0..<5).map { _ in try tool.check(50, .compiled, isCold: true).nanoseconds / 50 }
            let theirs = few.reduce(0, +) / Double(few.count)
            return .init(ours: ours, baseline: theirs, value: ours / theirs)
        },
        check("a cold check of this tree, default build", .standard, nil, isCold: true, milliseconds: 2000),
        check("a warm check of this tree, default build", .standard, nil, isCold: false, milliseconds: 300),
    ]
}

/// The builds of the tool and the trees to check, each made on first use.
final class CheckedTrees {
    enum Build { case standard, compiled }

    let folder = FileManager.default.temporaryDirectory.appending(
        path: "modules-bench-\(UUID().uuidString)")
    private let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    private var tools: [Build: String] = [:]
    private var generated: [Int: GeneratedTree] = [:]
    private var ownSources: [String]?

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs `modules check` over a generated tree, or over this repository if `pairs` is nil.
    ///
    /// - Parameter isCold: Whether to delete the cache first. A warm check uses the previous run's cache.
    ///   If no cache exists, an unmeasured run creates one.
    func check(_ pairs: Int?, _ build: Build, isCold: Bool) throws -> Run {
        let tree = try pairs.map { try self.tree($0).folder.path } ?? root.path
        let tool = try self.tool(build)
        let cache = folder.appending(path: "cache")
        func run() throws -> Run {
            // This repository may have findings during development. A finding in a generated tree means that the
            // benchmark measures the wrong thing.
            try Run(
                [tool, "check", "--root", tree], environment: ["XDG_CACHE_HOME": cache.path],
                allowing: pairs == nil ? [0, 1] : [0])
        }
        if isCold {
            try? FileManager.default.removeItem(at: cache)
        } else if !FileManager.default.fileExists(atPath: cache.path) {
            _ = try run()
        }
        return try run()
    }

    /// The nanoseconds that reading every Swift file of the tree takes.
    func reading(_ pairs: Int?) throws -> Double {
        let paths = try pairs.map { try tree($0).sources } ?? ownFiles()
        let elapsed = ContinuousClock().measure {
            for path in paths { consume(FileManager.default.contents(atPath: path)?.count) }
        }
        return elapsed / .nanoseconds(1)
    }

    func tree(_ pairs: Int) throws -> GeneratedTree {
        if let tree = generated[pairs] { return tree }
        let tree = try GeneratedTree(pairs: pairs, in: folder, tool: try tool(.standard))
        generated[pairs] = tree
        return tree
    }

    private func ownFiles() throws -> [String] {
        if let ownSources { return ownSources }
        let paths = try ["Apps", "Packages", "Scripts"].flatMap { part in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: part).path)
                .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
                .map { root.appending(path: part + "/" + $0).path }
        }
        ownSources = paths
        return paths
    }

    /// The path of the tool's binary, which the launcher builds first if it is missing or out of date.
    func tool(_ build: Build) throws -> String {
        if let tool = tools[build] { return tool }
        let launcher = Process()
        launcher.executableURL = root.appending(path: "Scripts/ModuleTool/launch")
        launcher.environment = ProcessInfo.processInfo.environment.merging([
            "MODULETOOL_PRINT_PATH": "1", "MODULETOOL_SYNTAX": build == .compiled ? "package" : "toolchain",
        ]) { $1 }
        let output = Pipe()
        launcher.standardOutput = output
        try launcher.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        launcher.waitUntilExit()
        guard launcher.terminationStatus == 0 else {
            throw Run.Failure(description: "Scripts/ModuleTool/launch could not build the tool.")
        }
        let path = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        tools[build] = path
        return path
    }
}
