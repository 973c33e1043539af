/// A non-cryptographic digest (FNV-1a) that shows whether a file's contents have changed.
struct ContentDigest: Hashable, Sendable, Codable {
    /// The digest as text that can be part of a file name.
    let text: String

    init(_ bytes: [UInt8]) {
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        text = "\(bytes.count)-" + String(hash, radix: 36)
    }
}
