/// A non-cryptographic digest that shows whether a file's contents have changed.
struct ContentDigest: Hashable, Sendable {
    private let count: Int
    private let first: UInt64
    private let second: UInt64

    /// - Complexity: O(*n*); processes eight bytes per step.
    init(_ bytes: some Collection<UInt8>) {
        let (count, first, second) =
            bytes.withContiguousStorageIfAvailable { unsafe Self.digest(UnsafeRawBufferPointer($0)) }
            ?? Self.digest(of: Array(bytes))
        (self.count, self.first, self.second) = (count, first, second)
    }

    private static func digest(of bytes: [UInt8]) -> (Int, UInt64, UInt64) {
        unsafe bytes.withUnsafeBytes { unsafe digest($0) }
    }

    private static func digest(_ bytes: UnsafeRawBufferPointer) -> (Int, UInt64, UInt64) {
        var first: UInt64 = 0x9E37_79B9_7F4A_7C15
        var second: UInt64 = 0xC2B2_AE3D_27D4_EB4F
        func mix(_ word: UInt64) {
            let product = (first ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
            first = product.high ^ product.low
            second = (second ^ word) &* 0xFF51_AFD7_ED55_8CCD
            second ^= second >> 29
        }
        var offset = 0
        let count = bytes.count
        while offset + 8 <= count {
            mix(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < count {
            tail = tail << 8 | UInt64(unsafe bytes[offset])
            offset += 1
        }
        mix(tail)
        mix(UInt64(count))
        return (count, first, second)
    }
}

extension ContentDigest: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(count)
        writer.write(Int(truncatingIfNeeded: first))
        writer.write(Int(truncatingIfNeeded: second))
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        count = try reader.int()
        first = UInt64(truncatingIfNeeded: try reader.int())
        second = UInt64(truncatingIfNeeded: try reader.int())
    }
}
