import Foundation
import ModuleBytes
import ModuleFacts
import Synchronization

/// Keeps facts and manifests from one run to the next. An entry is used only while the content from which it was made
/// is unchanged.
///
/// All operations are thread-safe.
package final class FactCache: Sendable {
    /// Identifies the running tool by its executable's path, size and modification time, because another build may
    /// find other facts in the same file. A tool without a known executable accepts no entry.
    private static let tool: String = {
        let path = Bundle(for: FactCache.self).executablePath ?? ""
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let size = attributes[.size], let date = attributes[.modificationDate] as? Date
        else { return UUID().uuidString }
        return ContentDigest(Array("\(path) \(size) \(date.timeIntervalSinceReferenceDate)".utf8)).text
    }()

    private struct Entry<Value: Codable & Sendable>: Codable, Sendable {
        let digest: ContentDigest
        let value: Value
    }

    private struct Entries: Codable, Sendable {
        var facts: [String: Entry<SourceFacts>] = [:]
        var manifests: [String: Entry<Manifest>] = [:]
    }

    private let path: String?
    private let old: Entries
    private let used = Mutex((entries: Entries(), hasNew: false))
    /// The shared folders from which this object has deleted old files.
    private let swept = Mutex<Set<String>>([])

    init(_ caching: TreeReader.Caching, root: String) {
        path =
            switch caching {
            case .none: nil
            case .file(let path): path
            case .user: Self.userFile(root)
            }
        old = path.flatMap { Self.load($0, by: Self.tool) } ?? Entries()
    }

    private static func userFile(_ root: String) -> String? {
        let name = root.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            return character.isLetter || character.isNumber ? String(character) : "-"
        }.joined()
        return userFolder.map { "\($0)/\(name).facts" }
    }

    /// The folder for the caches of this tool, which may be deleted at any time.
    package static var userFolder: String? {
        // On macOS, a check in a build may write only to the folder of its plugin.
        ProcessInfo.processInfo.environment["MODULETOOL_IN_BUILD"]
            ?? FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appending(path: "moduletool").path()
    }

    /// The facts of a file, from the cache if its content is unchanged, otherwise from `read`.
    ///
    /// - Parameter names: The names on which the facts depend.
    func facts(
        of path: String, _ bytes: [UInt8], scope: SourceScanner.Scope, names: String,
        read: () throws -> SourceFacts
    ) rethrows -> SourceFacts {
        try remembered("\(path)?\(scope.rawValue) \(names)", bytes, in: \.facts, read)
    }

    /// The manifest in a file, from the cache if its content is unchanged, otherwise from `read`.
    func manifest(of path: String, _ bytes: [UInt8], read: () throws -> Manifest) rethrows -> Manifest {
        try remembered(path, bytes, in: \.manifests, read)
    }

    /// Returns the value that belongs to `content`: from the cache that all trees share or, if it is not there, from
    /// `read`.
    ///
    /// The shared cache consists of folders next to the tree's cache file. Their files are named after the digests of
    /// the contents, so other clones and later test runs need not compute the same value again. The first
    /// addition to a folder deletes its files that are older than a month.
    ///
    /// - Parameter isOfTool: Whether another build of this tool may read another value. False for a value that another
    ///   program has computed.
    package func shared<Value: Codable>(
        _ folder: String, _ content: [UInt8], isOfTool: Bool = true, read: () throws -> Value
    ) rethrows -> Value {
        guard let path else { return try read() }
        let parent = URL(filePath: path).deletingLastPathComponent().appending(path: folder)
        let file = parent.appending(path: ContentDigest(content).text).path()
        let maker = isOfTool ? Self.tool : ""
        if let value: Value = Self.load(file, by: maker) { return value }
        let value = try read()
        Self.store(value, file, by: maker)
        if swept.withLock({ $0.insert(folder).inserted }) { Self.sweep(parent) }
        return value
    }

    private func remembered<Value: Codable & Sendable>(
        _ key: String, _ content: [UInt8], in entries: WritableKeyPath<Entries, [String: Entry<Value>]>,
        _ read: () throws -> Value
    ) rethrows -> Value {
        guard path != nil else { return try read() }
        let digest = ContentDigest(content)
        let known = old[keyPath: entries][key].flatMap { $0.digest == digest ? $0 : nil }
        let entry = try known ?? Entry(digest: digest, value: read())
        used.withLock {
            $0.entries[keyPath: entries][key] = entry
            if known == nil { $0.hasNew = true }
        }
        return entry.value
    }

    /// Writes the entries that this run used or added.
    func save() {
        guard let path else { return }
        let (entries, hasNew) = used.withLock { $0 }
        let isSmaller =
            entries.facts.count < old.facts.count || entries.manifests.count < old.manifests.count
        if hasNew || isSmaller { Self.store(entries, path, by: Self.tool) }
    }

    // MARK: Files

    /// The first line of a cache file.
    private static func header(_ body: [UInt8], by maker: String) -> [UInt8] {
        Array("\(maker) \(ContentDigest(body).text)\n".utf8)
    }

    /// The value in a file; nil if the file is missing or damaged, or another build of the tool has made it.
    private static func load<Value: Decodable>(_ path: String, by maker: String) -> Value? {
        guard let bytes = FileManager.default.contents(atPath: path).map(Array.init),
            let end = bytes.firstIndex(of: 0x0A)
        else { return nil }
        let body = Array(bytes[(end + 1)...])
        guard bytes[...end].elementsEqual(header(body, by: maker)) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(body))
    }

    /// Deletes the files in a folder that are older than a month. Errors are ignored.
    package static func sweep(_ folder: URL) {
        let key = URLResourceKey.contentModificationDateKey
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [key])
        for file in files ?? [] {
            let date = try? file.resourceValues(forKeys: [key]).contentModificationDate
            if let date, date < Date(timeIntervalSinceNow: -30 * 86_400) {
                try? FileManager.default.removeItem(at: file)
            }
        }
    }

    /// Writes a value into a file. Errors are ignored, because a missing cache only costs time.
    private static func store(_ value: some Encodable, _ path: String, by maker: String) {
        guard let body = try? JSONEncoder().encode(value) else { return }
        let url = URL(filePath: path)
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? Data(header(Array(body), by: maker) + body).write(to: url, options: .atomic)
    }
}
