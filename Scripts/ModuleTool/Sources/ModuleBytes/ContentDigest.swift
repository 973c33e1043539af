/// A non-cryptographic digest that shows whether a file's contents have changed.
package struct ContentDigest: Hashable, Sendable, Codable {
    package let text: String

    /// - Complexity: O(*n*); processes eight bytes per step.
    package init(_ bytes: [UInt8]) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        let whole = bytes.count / 8 * 8
        unsafe bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: whole, by: 8) {
                mix(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
        }
        for byte in bytes[whole...] { mix(UInt64(byte)) }
        text = "\(bytes.count)-" + String(hash, radix: 36)
    }
}
