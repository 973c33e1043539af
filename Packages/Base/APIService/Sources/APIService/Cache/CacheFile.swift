import Foundation

/// How one answer lies in a file: whole and its own, or not at all.
///
/// ```text
/// "APIcache" | version | length of head | length of body | head (JSON: key and head) | body | checksum
///  8 bytes      4          4                8                                              8
/// ```
///
/// Numbers are little-endian. The checksum is FNV-1a over all before it.
enum CacheFile {
    private struct Content: Codable {
        var partition: String
        var key: String
        var head: APICacheEntry.Head
    }

    private static let magic = Data("APIcache".utf8)
    private static let version: UInt32 = 1
    private static let fixed = 24

    static func data(_ entry: APICacheEntry, for key: APICacheKey) throws -> Data {
        let head = try JSONEncoder().encode(
            Content(partition: key.partition, key: key.text, head: entry.head))
        var data = Data(capacity: fixed + head.count + entry.body.count + 8)
        data.append(magic)
        append(version, to: &data)
        append(UInt32(head.count), to: &data)
        append(UInt64(entry.body.count), to: &data)
        data.append(head)
        data.append(entry.body)
        append(checksum(data), to: &data)
        return data
    }

    /// The answer in a file, or nil when it is torn, truncated, foreign, of another version or another key's.
    static func entry(_ data: Data, for key: APICacheKey) -> APICacheEntry? {
        let data = data.startIndex == 0 ? data : Data(data)
        guard data.count >= fixed + 8, data.prefix(8) == magic,
            number(UInt32.self, data, at: 8) == version,
            let end = Int(exactly: UInt64(data.count) - 8),
            let headLength = Int(exactly: number(UInt32.self, data, at: 12)),
            let bodyLength = Int(exactly: number(UInt64.self, data, at: 16)),
            headLength <= end - fixed, bodyLength == end - fixed - headLength,
            checksum(data.prefix(end)) == number(UInt64.self, data, at: end),
            let content = try? JSONDecoder().decode(
                Content.self, from: data.subdata(in: fixed..<fixed + headLength)),
            content.partition == key.partition, content.key == key.text
        else { return nil }
        return APICacheEntry(head: content.head, body: data.subdata(in: fixed + headLength..<end))
    }

    private static func append<T: FixedWidthInteger>(_ number: T, to data: inout Data) {
        for shift in stride(from: 0, to: T.bitWidth, by: 8) {
            data.append(UInt8(truncatingIfNeeded: number >> T(shift)))
        }
    }

    private static func number<T: FixedWidthInteger>(_: T.Type, _ data: Data, at index: Int) -> T {
        var number: T = 0
        for offset in 0..<T.bitWidth / 8 { number |= T(data[index + offset]) << T(offset * 8) }
        return number
    }

    private static func checksum(_ data: Data) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let bytes = data.span
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
        return hash
    }
}
