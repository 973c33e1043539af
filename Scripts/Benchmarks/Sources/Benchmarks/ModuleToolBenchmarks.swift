import Foundation

/// The benchmarks of Scripts/ModuleTool: `modules check` as a program of its own. Times are processor time.
func moduleToolBenchmarks() -> [Benchmark] {
    let tool = CheckedTrees()
    func check(
        _ name: String, _ build: CheckedTrees.Build, _ pairs: Int?, isFirst: Bool, milliseconds: Double
    ) -> Benchmark {
        Benchmark(
            "modules: \(name)", against: "reading the files", limit: .milliseconds(milliseconds), runs: 5
        ) {
            let run = try tool.check(pairs, build, isFirst: isFirst)
            return .init(
                ours: run.nanoseconds, baseline: try tool.reading(pairs), value: run.nanoseconds / 1e6)
        }
    }
    return [
        check("a first check of 500 pairs", .release, 500, isFirst: true, milliseconds: 2000),
        check("a second check of 500 pairs", .release, 500, isFirst: false, milliseconds: 300),
        Benchmark(
            "modules: memory, 500 pairs", against: "100 pairs", limit: .amount(400),
            measure: .amount(unit: " MB"),
            runs: 1
        ) {
            let ours = try tool.check(500, .release, isFirst: true).megabytes
            return .init(
                ours: ours, baseline: try tool.check(100, .release, isFirst: true).megabytes, value: ours)
        },
        Benchmark(
            "modules: a pair of 1,000, first check", against: "a pair of 100", limit: .ratio(1.3), runs: 5
        ) {
            let ours = try tool.check(1000, .release, isFirst: true).nanoseconds / 1000
            // As long as one of the others.
            let few = try (0..<10).map { _ in try tool.check(100, .release, isFirst: true).nanoseconds / 100 }
            let theirs = few.reduce(0, +) / Double(few.count)
            return .init(ours: ours, baseline: theirs, value: ours / theirs)
        },
        check("a first check of this tree, default build", .debug, nil, isFirst: true, milliseconds: 2000),
        check("a second check of this tree, default build", .debug, nil, isFirst: false, milliseconds: 300),
    ]
}

/// The built tool, and the trees that it checks, made when they are first asked for.
private final class CheckedTrees {
    enum Build: String { case debug, release }

    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "modules-bench-\(UUID().uuidString)")
    private let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    private var tools: [Build: String] = [:]
    private var generated: [Int: GeneratedTree] = [:]
    private var ownSources: [String]?

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs `modules check` over a generated tree, or over this one, anew or with what the last run remembers.
    func check(_ pairs: Int?, _ build: Build, isFirst: Bool) throws -> Run {
        let tree = try pairs.map { try self.tree($0).folder.path } ?? root.path
        let tool = try self.tool(build)
        let cache = folder.appending(path: "cache")
        func run() throws -> Run {
            // Our own tree may be under work. A finding in a generated one would mean that something else is
            // measured than is meant.
            try Run(
                [tool, "check", "--root", tree], environment: ["XDG_CACHE_HOME": cache.path],
                allowing: pairs == nil ? [0, 1] : [0])
        }
        if isFirst {
            try? FileManager.default.removeItem(at: cache)
        } else if !FileManager.default.fileExists(atPath: cache.path) {
            _ = try run()
        }
        return try run()
    }

    /// The nanoseconds of reading each Swift file of a tree.
    func reading(_ pairs: Int?) throws -> Double {
        let paths = try pairs.map { try tree($0).sources } ?? ownFiles()
        let elapsed = ContinuousClock().measure {
            for path in paths { consume(FileManager.default.contents(atPath: path)?.count) }
        }
        return elapsed / .nanoseconds(1)
    }

    private func tree(_ pairs: Int) throws -> GeneratedTree {
        if let tree = generated[pairs] { return tree }
        let tree = try GeneratedTree(pairs: pairs, in: folder)
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

    /// The tool's binary; its launcher builds it when it is not there, or not of these sources.
    private func tool(_ build: Build) throws -> String {
        if let tool = tools[build] { return tool }
        let package = root.appending(path: "Scripts/ModuleTool")
        let syntax = build == .release ? "package" : "toolchain"
        _ = try Run(
            [package.appending(path: "launch").path, "--help"],
            environment: ["MODULETOOL_CONFIGURATION": build.rawValue, "MODULETOOL_SYNTAX": syntax],
            allowing: [0])
        let path = package.appending(path: ".build-launch/\(syntax)/\(build.rawValue)/modules").path
        tools[build] = path
        return path
    }
}
