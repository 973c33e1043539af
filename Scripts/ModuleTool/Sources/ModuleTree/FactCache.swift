import Foundation
import Synchronization

/// Caches facts and manifests between runs. An entry is used only while the content of its file is unchanged.
///
/// All operations are thread-safe.
final class FactCache: Sendable {
    /// Increase this whenever the facts or their encoding change.
    private static let version = 5

    private struct Entry: Sendable {
        let digest: ContentDigest
        let bytes: ArraySlice<UInt8>
    }

    private struct State: Sendable {
        /// The keys of the old entries that this run used.
        var used: [String] = []
        var new: [String: Entry] = [:]
    }

    private let path: String?
    private let old: [String: Entry]
    private let state = Mutex(State())

    init(_ caching: TreeReader.Caching, root: String) {
        path =
            switch caching {
            case .none: nil
            case .file(let path): path
            case .user: Self.userFile(root)
            }
        old = path.flatMap(FileBytes.read).flatMap { try? Self.entries($0) } ?? [:]
    }

    private static func userFile(_ root: String) -> String? {
        let name = root.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            return character.isLetter || character.isNumber ? String(character) : "-"
        }.joined()
        return userFolder.map { "\($0)/\(name).facts" }
    }

    /// The folder for the caches of this tool, which may be deleted at any time.
    static var userFolder: String? {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appending(path: "moduletool").path()
    }

    /// The facts of a file, from the cache if its content is unchanged, otherwise from the source.
    func facts(of path: String, _ bytes: [UInt8], scope: SourceScanner.Scope) -> SourceFacts {
        remembered(path + "?" + scope.rawValue, bytes) { SourceScanner.facts(of: bytes, scope: scope) }
    }

    /// The manifest in a file, from the cache if its content is unchanged, otherwise from `read`.
    func manifest(
        of path: String, _ bytes: [UInt8], read: () throws -> Manifest
    ) rethrows -> Manifest {
        try remembered(path + "?manifest", bytes, read)
    }

    private func remembered<Value: ByteCodable>(
        _ key: String, _ content: [UInt8], _ read: () throws -> Value
    ) rethrows -> Value {
        guard path != nil else { return try read() }
        let digest = ContentDigest(content)
        if let entry = old[key], entry.digest == digest {
            var reader = ByteReader(entry.bytes)
            if let value = try? Value(from: &reader), reader.isAtEnd {
                state.withLock { $0.used.append(key) }
                return value
            }
        }
        let value = try read()
        var writer = ByteWriter()
        value.encode(into: &writer)
        state.withLock { $0.new[key] = Entry(digest: digest, bytes: writer.bytes[...]) }
        return value
    }

    /// Writes the entries that this run used or added. An error is ignored, because a missing cache only
    /// costs time.
    func save() {
        guard let path else { return }
        let (used, new) = state.withLock { ($0.used, $0.new) }
        guard !new.isEmpty || used.count != old.count else { return }
        var entries = new
        for key in used { entries[key] = old[key] }
        var body = ByteWriter()
        body.write(entries.count)
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            body.write(key)
            entry.digest.encode(into: &body)
            body.write(entry.bytes)
        }
        var file = ByteWriter()
        file.write(Self.version)
        ContentDigest(body.bytes).encode(into: &file)
        file.write(body.bytes[...])
        try? FileBytes.write(file.bytes, to: path)
    }

    private static func entries(_ bytes: [UInt8]) throws(TornBytes) -> [String: Entry] {
        var file = ByteReader(bytes[...])
        guard try file.int() == version else { throw TornBytes() }
        let digest = try ContentDigest(from: &file)
        let body = try file.slice()
        guard file.isAtEnd, ContentDigest(body) == digest else { throw TornBytes() }
        var reader = ByteReader(body)
        let count = try reader.count()
        var entries: [String: Entry] = [:]
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let key = try reader.string()
            let digest = try ContentDigest(from: &reader)
            entries[key] = Entry(digest: digest, bytes: try reader.slice())
        }
        return entries
    }
}
