import Foundation

/// The differences between two states of an Api's public surface.
///
/// The toolchain's `swift-api-digester` compares the declarations. ``ConstantValues`` and ``CallEffects``
/// compare what the digester does not see: values of constants, effects, and actor isolation. An Api has no
/// dependencies, so its files compile without SwiftPM.
package struct ApiSurface: Sendable, Equatable {
    /// Whether anything that callers see differs. An addition is a difference.
    package var isChanged = false

    /// The changes that break callers or implementers, one line each, in the digester's words where possible.
    package var breaks: [String] = []

    /// The subset of ``breaks`` that removes declarations which were not deprecated before.
    package var removedUnannounced: [String] = []

    /// The contents of an Api's files, by path.
    package typealias Files = [String: Data]

    /// Thrown if the new state does not compile, with the compiler's first error.
    package struct DoesNotCompile: Error {
        /// The place of the error in the original file.
        package let place: SourcePlace
        /// The compiler's message.
        package let what: String
    }

    /// Compares two states of an Api.
    ///
    /// - Parameter caching: Whether to use the cache in the user's cache folder. Its key is the contents of
    ///   all files.
    /// - Throws: ``DoesNotCompile`` if the new state does not compile; ``TreeError`` if the old state does
    ///   not compile, or the toolchain lacks `swift-api-digester`.
    package static func compare(
        module: String, old: Files, new: Files, caching: Bool = true
    ) throws -> ApiSurface {
        if old == new { return ApiSurface() }
        let key = cacheFile(module, old, new)
        if caching, let key, let bytes = FileBytes.read(key), let known = ApiSurface(bytes) { return known }
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "moduletool-api-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let dumps = concurrentMap([("old", old), ("new", new)], step: 1) { name, files in
            Result { try dump(module, files, in: folder.appending(path: name).path(), state: name) }
        }
        let (before, after) = (try dumps[0].get(), try dumps[1].get())
        var surface = ApiSurface()
        let (oldNodes, newNodes) = (try SurfaceNodes(before), try SurfaceNodes(after))
        surface.isChanged = oldNodes.lines != newNodes.lines
        let report = folder.appending(path: "report").path()
        let diagnosis = try Command.run(
            digester + ["-diagnose-sdk", "-input-paths", before, "-input-paths", after, "-o", report],
            in: folder.path())
        if diagnosis.status == 0 {
            let text = String(decoding: FileBytes.read(report) ?? [], as: UTF8.self)
            surface.breaks = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("/*") }
        } else {
            // The digester of Swift 6.3 crashes if a protocol's property gains a setter.
            surface.breaks =
                newNodes.removed(since: oldNodes) + [
                    "swift-api-digester fails on the remaining changes, so they count as breaking"
                ]
        }
        let said = surface.breaks
        surface.breaks += newNodes.retyped(since: oldNodes).filter { change in
            let words = change.split(separator: " ")
            return !said.contains { $0.hasPrefix("\(words[0]) \(words[1]) ") }
        }
        surface.removedUnannounced = surface.breaks.filter { line in
            guard let end = line.range(of: " has been removed") ?? line.range(of: " has been renamed"),
                let start = line.firstIndex(of: " "), start < end.lowerBound
            else { return false }
            return !oldNodes.deprecated.contains(String(line[line.index(after: start)..<end.lowerBound]))
        }
        surface.breaks += CallEffects(old).changes(to: CallEffects(new))
        surface.breaks += ConstantValues(old).changes(to: ConstantValues(new))
        if !surface.breaks.isEmpty { surface.isChanged = true }
        if caching, let key { try? FileBytes.write(surface.bytes, to: key) }
        return surface
    }

    /// The command that starts the digester. Xcode's toolchain does not put it in `PATH`.
    private static var digester: [String] {
        #if os(macOS)
        ["xcrun", "swift-api-digester"]
        #else
        ["swift-api-digester"]
        #endif
    }

    private static func dump(_ module: String, _ files: Files, in folder: String, state: String) throws
        -> String
    {
        var paths: [String] = []
        var originals: [String: String] = [:]
        for (index, file) in files.sorted(by: { $0.key < $1.key }).enumerated() {
            let path = "\(folder)/\(index)-\(file.key.split(separator: "/").last ?? "File.swift")"
            try FileBytes.write(Array(file.value), to: path)
            paths.append(path)
            originals[path] = file.key
        }
        if paths.isEmpty {
            paths = [folder + "/Empty.swift"]
            try FileBytes.write([], to: paths[0])
        }
        let compile =
            [
                // Whole-module mode runs one compiler process instead of one per file.
                "swiftc", "-emit-module", "-wmo", "-module-name", module, "-parse-as-library",
                "-swift-version", "6", "-o", "\(folder)/\(module).swiftmodule",
            ] + paths
        let compiled = try Command.run(compile, in: folder)
        if compiled.status != 0, state == "new",
            let error = firstError(in: compiled.standardError, originals)
        {
            throw error
        }
        try check(compiled, of: compile, about: "\(module) (\(state) state)")
        let output = folder + "/dump.json"
        var arguments =
            digester + [
                "-dump-sdk", "-module", module, "-I", folder, "-avoid-location", "-avoid-tool-args", "-o",
                output,
            ]
        #if os(macOS)
        let sdk = try Command.run(["xcrun", "--show-sdk-path"], in: folder).text
        arguments += ["-sdk", sdk.trimmingCharacters(in: .whitespacesAndNewlines)]
        #endif
        try run(arguments, in: folder, about: module)
        return output
    }

    private static func run(_ arguments: [String], in folder: String, about module: String) throws {
        try check(Command.run(arguments, in: folder), of: arguments, about: module)
    }

    /// The compiler's first error in one of the Api's files.
    private static func firstError(in text: String, _ originals: [String: String]) -> DoesNotCompile? {
        for match in text.matches(of: /(?m)^(.+?):(\d+):(\d+): error: (.*)$/) {
            guard let path = originals[String(match.1)], let line = Int(match.2), let column = Int(match.3)
            else { continue }
            return DoesNotCompile(
                place: SourcePlace(path: path, line: line, column: column), what: String(match.4))
        }
        return nil
    }

    private static func check(
        _ output: Command.Output, of arguments: [String], about module: String
    ) throws {
        guard output.status == 0 else {
            let program = arguments.first { $0 != "xcrun" } ?? ""
            throw TreeError(
                .environment, module, what: "\(program) fails on this Api:\n\(output.standardError)",
                why: "an Api that cannot be compared may have changed",
                mend:
                    "make sure that the Api's files compile on their own, and that PATH has a Swift toolchain "
                    + "with swift-api-digester")
        }
    }

    // MARK: Cache

    private static func cacheFile(_ module: String, _ old: Files, _ new: Files) -> String? {
        var writer = ByteWriter()
        for files in [old, new] {
            writer.write(files.count)
            for (path, data) in files.sorted(by: { $0.key < $1.key }) {
                writer.write(path)
                writer.write(Array(data)[...])
            }
        }
        return FactCache.userFolder.map { "\($0)/surfaces/\(module)-\(ContentDigest(writer.bytes).text)" }
    }

    private static let version = 3

    private var bytes: [UInt8] {
        var body = ByteWriter()
        body.write(isChanged)
        body.write(breaks)
        body.write(removedUnannounced)
        var file = ByteWriter()
        file.write(Self.version)
        ContentDigest(body.bytes).encode(into: &file)
        file.write(body.bytes[...])
        return file.bytes
    }

    private init?(_ bytes: [UInt8]) {
        do throws(TornBytes) {
            var file = ByteReader(bytes[...])
            guard try file.int() == Self.version else { return nil }
            let digest = try ContentDigest(from: &file)
            let content = try file.slice()
            guard ContentDigest(content) == digest else { return nil }
            var body = ByteReader(content)
            isChanged = try body.bool()
            breaks = try body.strings()
            removedUnannounced = try body.strings()
        } catch {
            return nil
        }
    }

    private init() {}
}
