import Digests
import Foundation

/// The file format of the responses under one key: one independent record per response, the newest first. A damaged
/// record is treated as missing.
///
/// ```text
/// APIcache4 LENGTH-OF-HEAD LENGTH-OF-BODY\n
/// head as JSON, body, checksum as 16 hexadecimal digits
/// ```
///
/// The checksum is FNV-1a over all bytes of the record before the checksum.
enum CacheFile {
    private static let magic = "APIcache4"
    private static let checksumLength = 16

    private struct Head: Codable {
        var partition: String
        var text: String
        var entry: APICacheEntry.Head
    }

    /// Returns the intact responses for `key` in a file, read lazily; empty if the file is not a sequence of
    /// records.
    static func entries(_ file: Data, for key: APICacheKey) -> some Sequence<APICacheEntry> {
        records(file).lazy.compactMap { entry($0, for: key) }
    }

    private static func records(_ file: Data) -> [Data] {
        var records: [Data] = []
        var rest = file
        while !rest.isEmpty {
            guard let parts = Parts(rest) else { return [] }
            records.append(rest.prefix(parts.end))
            rest = rest.dropFirst(parts.end)
        }
        return records
    }

    /// Returns the record of a response.
    ///
    /// - Throws: An `EncodingError` if a date is not a finite number.
    static func data(_ entry: APICacheEntry, for key: APICacheKey) throws -> Data {
        let head = try JSONEncoder().encode(
            Head(partition: key.partition, text: key.text, entry: entry.head))
        var record = Data("\(magic) \(head.count) \(entry.body.count)\n".utf8)
        record.reserveCapacity(record.count + head.count + entry.body.count + checksumLength)
        record.append(head)
        record.append(entry.body)
        record.append(contentsOf: checksum(record).utf8)
        return record
    }

    /// Returns the response in a record; `nil` if the record is damaged or truncated, is not a cache record, or
    /// belongs to another version or key.
    static func entry(_ data: Data, for key: APICacheKey) -> APICacheEntry? {
        // Indices start at 0.
        let data = data.startIndex == 0 ? data : Data(data)
        guard let parts = Parts(data), parts.end == data.count,
            data[parts.checksum...].elementsEqual(checksum(data[..<parts.checksum]).utf8),
            let head = try? JSONDecoder().decode(Head.self, from: data[parts.head..<parts.body]),
            head.partition == key.partition, head.text == key.text
        else { return nil }
        return APICacheEntry(head: head.entry, body: data.subdata(in: parts.body..<parts.checksum))
    }

    private static func checksum(_ data: Data) -> String {
        let digits = String(Digest.fnv1a(data.span), radix: 16)
        return String(repeating: "0", count: checksumLength - digits.count) + digits
    }

    /// The offsets of a record's parts.
    private struct Parts {
        let head: Int
        let body: Int
        let checksum: Int
        let end: Int

        /// Returns `nil` if the data does not start with a complete record.
        init?(_ data: Data) {
            let line = data.prefix(64).prefix { $0 != UInt8(ascii: "\n") }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == magic, let head = Int(words[1]), let body = Int(words[2]),
                head >= 0, body >= 0
            else { return nil }
            let room = data.count - line.count - 1 - checksumLength
            guard head <= room, body <= room - head else { return nil }
            self.head = line.count + 1
            self.body = self.head + head
            checksum = self.body + body
            end = checksum + checksumLength
        }
    }
}
