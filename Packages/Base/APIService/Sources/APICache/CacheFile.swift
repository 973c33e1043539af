import APITransport
import Digests
import Foundation

/// The file format of a response.
///
/// ```text
/// APIcache5 LENGTH-OF-HEAD LENGTH-OF-BODY\n
/// head as JSON, body, checksum as 16 hexadecimal digits
/// ```
///
/// The head has no query, which may be a secret: a reader takes the URL from its own key. The checksum is FNV-1a over all
/// bytes before the checksum, and over the key.
enum CacheFile {
    private static let magic = "APIcache5"
    private static let checksumLength = 16

    /// Returns the file of a response.
    ///
    /// - Throws: An `EncodingError` if a date is not a finite number.
    static func data(_ entry: APICacheEntry, for key: APICacheKey) throws -> Data {
        var stored = entry.head
        stored.url = stored.url.withoutQuery
        let head = try JSONEncoder().encode(stored)
        var file = Data("\(magic) \(head.count) \(entry.body.count)\n".utf8)
        file.reserveCapacity(file.count + head.count + entry.body.count + checksumLength)
        file.append(head)
        file.append(entry.body)
        file.append(contentsOf: checksum(file, key).utf8)
        return file
    }

    /// Returns the response in a file; `nil` if the file is damaged or truncated, is not a cache file, or belongs to another
    /// version or key. The indices of the data must begin at 0.
    static func entry(_ data: Data, for key: APICacheKey) -> APICacheEntry? {
        guard let parts = Parts(data),
            data[parts.checksum...].elementsEqual(checksum(data[..<parts.checksum], key).utf8),
            var head = try? JSONDecoder().decode(
                APICacheEntry.Head.self, from: data[parts.head..<parts.body])
        else { return nil }
        // A key that was not created from a request has no location.
        if let url = URL(string: key.location) { head.url = url }
        return APICacheEntry(head: head, body: data.subdata(in: parts.body..<parts.checksum))
    }

    private static func checksum(_ data: Data, _ key: APICacheKey) -> String {
        let digits = String(
            Digest.fnv1a(Data("\(key)".utf8).span, after: Digest.fnv1a(data.span)), radix: 16)
        return String(repeating: "0", count: checksumLength - digits.count) + digits
    }

    /// The offsets of a file's parts.
    private struct Parts {
        let head: Int
        let body: Int
        let checksum: Int

        /// Returns `nil` if the lengths in the first line do not add up to the length of the file.
        init?(_ data: Data) {
            let line = data.prefix(64).prefix { $0 != UInt8(ascii: "\n") }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == magic, let head = Int(words[1]), let body = Int(words[2]),
                head >= 0, body >= 0
            else { return nil }
            let room = data.count - line.count - 1 - checksumLength
            guard head <= room, body == room - head else { return nil }
            self.head = line.count + 1
            self.body = self.head + head
            checksum = self.body + body
        }
    }
}
