import Digests
import Foundation

/// The file format of the responses under one key: one independent record per response, the newest first. A damaged
/// record is treated as missing.
///
/// ```text
/// "APIcache" | version | length of head | length of body | head | body | checksum
///  8 bytes      4          4                8                             8
/// ```
///
/// The head holds, in this order: the key's partition and text, the URL, the status, the time when the response was
/// stored, the expiry (infinity means never), the header fields, the digests of the fields that `Vary` named, a flag (1
/// if the response is also stored in memory, otherwise 0), and the date when the response's age was 0. Numbers are
/// little-endian and, in the head, 8 bytes long. Times are seconds since 2001. A string is preceded by its length in
/// bytes, a list by its number of elements. The checksum is FNV-1a over all bytes of the record before the checksum.
enum CacheFile {
    private static let magic = Data("APIcache".utf8)
    private static let version: UInt32 = 3
    private static let fixed = 24

    /// Returns the intact responses for `key` in a file, read lazily; empty if the file is not a sequence of
    /// records.
    static func entries(_ file: Data, for key: APICacheKey) -> some Sequence<APICacheEntry> {
        records(file).lazy.compactMap { entry($0, for: key) }
    }

    private static func records(_ file: Data) -> [Data] {
        var records: [Data] = []
        var rest = file
        while !rest.isEmpty {
            guard let lengths = lengths(rest) else { return [] }
            records.append(rest.prefix(lengths.record))
            rest = rest.dropFirst(lengths.record)
        }
        return records
    }

    /// Returns the record of a response.
    static func data(_ entry: APICacheEntry, for key: APICacheKey) -> Data {
        var head = Writer()
        head.write(key.partition)
        head.write(key.text)
        head.write(entry.head.url.absoluteString)
        head.write(UInt64(bitPattern: Int64(entry.head.statusCode)))
        head.write(entry.head.stored.timeIntervalSinceReferenceDate.bitPattern)
        head.write((entry.head.expires?.timeIntervalSinceReferenceDate ?? .infinity).bitPattern)
        head.write(entry.head.fields)
        head.write(entry.head.vary)
        head.write(UInt64(entry.head.isForMemory ? 1 : 0))
        head.write((entry.head.born ?? entry.head.stored).timeIntervalSinceReferenceDate.bitPattern)

        var start = Writer()
        start.write(version)
        start.write(UInt32(head.bytes.count))
        start.write(UInt64(entry.body.count))

        // Uses `Data`, because `Array.span` requires Apple's 2025 OS releases (macOS 26, iOS 26).
        var record = Data(capacity: fixed + head.bytes.count + entry.body.count + 8)
        record.append(magic)
        record.append(contentsOf: start.bytes)
        record.append(contentsOf: head.bytes)
        record.append(entry.body)
        var end = Writer()
        end.write(Digest.fnv1a(record.span))
        record.append(contentsOf: end.bytes)
        return record
    }

    /// Returns the lengths of a record's head and of the whole record; `nil` if the data does not start with
    /// a complete record.
    private static func lengths(_ data: Data) -> (head: Int, record: Int)? {
        let room = data.count - fixed - 8
        guard room >= 0, data.prefix(8) == magic else { return nil }
        var start = Reader(data.dropFirst(8).prefix(fixed - 8))
        guard start.number(UInt32.self) == version,
            let head = start.number(UInt32.self).flatMap({ Int(exactly: $0) }),
            let body = start.number(UInt64.self).flatMap({ Int(exactly: $0) }),
            head <= room, body <= room - head
        else { return nil }
        return (head, fixed + head + body + 8)
    }

    /// Returns the response in a record; `nil` if the record is damaged or truncated, is not a cache record, or
    /// belongs to another version or key.
    static func entry(_ data: Data, for key: APICacheKey) -> APICacheEntry? {
        guard let lengths = lengths(data), lengths.record == data.count else { return nil }
        let data = data.startIndex == 0 ? data : Data(data)
        let end = data.count - 8
        var last = Reader(data[end...])
        guard last.number(UInt64.self) == Digest.fnv1a(data.span.extracting(..<end)) else { return nil }
        var reader = Reader(data[fixed..<fixed + lengths.head])
        guard reader.text() == key.partition, reader.text() == key.text,
            let url = reader.text().flatMap({ URL(string: $0) }),
            let status = reader.number(UInt64.self), let stored = reader.date(), let expires = reader.date(),
            let fields = reader.texts(), let vary = reader.texts(),
            let isForMemory = reader.number(UInt64.self), let born = reader.date()
        else { return nil }
        return APICacheEntry(
            head: APICacheEntry.Head(
                url: url, statusCode: Int(truncatingIfNeeded: status), fields: fields, stored: stored,
                expires: expires.timeIntervalSinceReferenceDate == .infinity ? nil : expires, vary: vary,
                born: born == stored ? nil : born, isForMemory: isForMemory == 1),
            body: data.subdata(in: fixed + lengths.head..<end))
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func write<T: FixedWidthInteger>(_ number: T) {
            for shift in stride(from: 0, to: T.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> T(shift)))
            }
        }

        mutating func write(_ text: String) {
            write(UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }

        mutating func write(_ texts: [String: String]) {
            write(UInt64(texts.count))
            for (name, value) in texts {
                write(name)
                write(value)
            }
        }
    }

    /// Reads the format of ``Writer``. Each method returns `nil` if the value is missing.
    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ data: Data) { rest = Array(data)[...] }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func number<T: FixedWidthInteger>(_: T.Type) -> T? {
            take(T.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | T($1) }
        }

        mutating func text() -> String? {
            guard let count = number(UInt64.self).flatMap({ Int(exactly: $0) }) else { return nil }
            return take(count).flatMap { String(validating: $0, as: UTF8.self) }
        }

        mutating func date() -> Date? {
            number(UInt64.self).map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
        }

        mutating func texts() -> [String: String]? {
            guard let count = number(UInt64.self) else { return nil }
            var texts: [String: String] = [:]
            for _ in 0..<count {
                guard let name = text(), let value = text() else { return nil }
                texts[name] = value
            }
            return texts
        }
    }
}
