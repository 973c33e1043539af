/// A value that the cache stores as bytes.
protocol ByteCodable {
    func encode(into writer: inout ByteWriter)
    init(from reader: inout ByteReader) throws(TornBytes)
}

/// Thrown for bytes that this version of the tool did not write. The cache then counts as missing.
struct TornBytes: Error {}

/// Encodes numbers, strings and lists one after another.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes a number with seven bits per byte, lowest bits first.
    mutating func write(_ value: Int) {
        var rest = UInt64(bitPattern: Int64(value))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func write(_ text: String) {
        let units = text.utf8
        write(units.count)
        bytes.append(contentsOf: units)
    }

    mutating func write(_ text: String?) {
        write(text != nil)
        if let text { write(text) }
    }

    mutating func write(_ texts: [String]) {
        write(texts.count)
        for text in texts { write(text) }
    }

    mutating func write(_ raw: ArraySlice<UInt8>) {
        write(raw.count)
        bytes.append(contentsOf: raw)
    }

    mutating func write<Element: ByteCodable>(_ list: [Element]) {
        write(list.count)
        for element in list { element.encode(into: &self) }
    }
}

/// Decodes the bytes of a ``ByteWriter``. Every length is checked, so damaged bytes cannot cause a read out
/// of bounds.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    var isAtEnd: Bool { index == bytes.endIndex }

    mutating func byte() throws(TornBytes) -> UInt8 {
        guard index < bytes.endIndex else { throw TornBytes() }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func int() throws(TornBytes) -> Int {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 64 else { throw TornBytes() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(Int64(bitPattern: value)) }
            shift += 7
        }
    }

    /// Reads an element count. Throws if fewer bytes than elements remain, as each element takes at least one
    /// byte.
    mutating func count() throws(TornBytes) -> Int {
        let count = try int()
        guard count >= 0, count <= bytes.endIndex - index else { throw TornBytes() }
        return count
    }

    mutating func bool() throws(TornBytes) -> Bool { try byte() != 0 }

    mutating func slice() throws(TornBytes) -> ArraySlice<UInt8> {
        let count = try count()
        defer { index += count }
        return bytes[index..<index + count]
    }

    mutating func string() throws(TornBytes) -> String {
        String(decoding: try slice(), as: UTF8.self)
    }

    mutating func optionalString() throws(TornBytes) -> String? {
        try bool() ? try string() : nil
    }

    mutating func strings() throws(TornBytes) -> [String] {
        let count = try count()
        var list: [String] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try string()) }
        return list
    }

    mutating func array<Element: ByteCodable>(of type: Element.Type = Element.self) throws(TornBytes)
        -> [Element]
    {
        let count = try count()
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try Element(from: &self)) }
        return list
    }
}
