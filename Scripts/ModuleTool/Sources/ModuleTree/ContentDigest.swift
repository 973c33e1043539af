/// A non-cryptographic digest that shows whether a file's contents have changed.
struct ContentDigest: Hashable, Sendable, Codable {
    /// The digest as text that can be part of a file name.
    let text: String

    /// - Complexity: O(*n*); processes eight bytes per step.
    init(_ bytes: [UInt8]) {
        var first: UInt64 = 0x9E37_79B9_7F4A_7C15
        var second: UInt64 = 0xC2B2_AE3D_27D4_EB4F
        func mix(_ word: UInt64) {
            let product = (first ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
            first = product.high ^ product.low
            second = (second ^ word) &* 0xFF51_AFD7_ED55_8CCD
            second ^= second >> 29
        }
        let whole = bytes.count / 8 * 8
        unsafe bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: whole, by: 8) {
                mix(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
        }
        mix(bytes[whole...].reduce(0) { $0 << 8 | UInt64($1) })
        mix(UInt64(bytes.count))
        text = "\(bytes.count)-" + String(first, radix: 36) + String(second, radix: 36)
    }
}
