import Foundation

/// SHA-256 digests, which the toolchain does not provide on Linux.
///
/// Source: FIPS 180-4.
package enum SHA256 {
    /// The digest of a message, as 64 hexadecimal digits.
    ///
    /// - Complexity: O(*n*).
    package static func hex(_ message: [UInt8]) -> String {
        var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
        let roots = roots
        var words = [UInt32](repeating: 0, count: 64)
        for start in stride(from: 0, to: bytes.count, by: 64) {
            for index in 0..<64 { words[index / 4] = words[index / 4] << 8 | UInt32(bytes[start + index]) }
            mix(&words, roots, into: &state)
        }
        return state.map { String(format: "%08x", $0) }.joined()
    }

    private static func mix(_ words: inout [UInt32], _ roots: [UInt32], into state: inout [UInt32]) {
        func turned(_ word: UInt32, _ one: UInt32, _ two: UInt32) -> UInt32 {
            (word &>> one | word &<< (32 &- one)) ^ (word &>> two | word &<< (32 &- two))
        }
        for index in 16..<64 {
            let (old, new) = (words[index - 15], words[index - 2])
            let more = (turned(old, 7, 18) ^ old >> 3) &+ (turned(new, 17, 19) ^ new >> 10)
            words[index] = words[index - 16] &+ words[index - 7] &+ more
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = (turned(e, 6, 11) ^ (e >> 25 | e << 7)) &+ (e & f ^ ~e & g)
            let first = h &+ choice &+ roots[index] &+ words[index]
            let second = (turned(a, 2, 13) ^ (a >> 22 | a << 10)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
    private static let roots = primes.map { fraction(cbrt(Double($0))) }

    /// The first 32 bits after the binary point.
    private static func fraction(_ root: Double) -> UInt32 {
        UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }
}
