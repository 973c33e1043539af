import Foundation

/// The record of a test target whose tests have all run and passed.
package struct PassedTests: Sendable, Codable, Hashable {
    package let key: String
    package let target: String
    /// The number of tests; 0 withdraws an earlier record of the same key.
    package let tests: Int
    package let seconds: Double

    var isWithdrawn: Bool { tests == 0 }

    /// The record as an `ActionResult` of Bazel's Remote Execution API, because servers such as bazel-remote accept
    /// nothing else under `/ac`: its field 5, `stdout_raw`, contains the record as JSON.
    var encoded: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let text = try encoder.encode(self)
            return Data([5 << 3 | 2, UInt8(text.count & 0x7F) | 0x80, UInt8(text.count >> 7)]) + text
        }
    }
}

extension PassedTests {
    /// Reads a record from its JSON text, which a server may have put between other fields.
    ///
    /// - Returns: nil if this is not a record of the key.
    init?(_ data: Data, of key: String) {
        guard let start = data.firstRange(of: Data("{\"key\":".utf8))?.lowerBound,
            let end = data[start...].firstIndex(of: UInt8(ascii: "}")),
            let record = try? JSONDecoder().decode(PassedTests.self, from: data[start...end]),
            record.key == key
        else { return nil }
        self = record
    }
}
