import Foundation

/// The record of a test target whose tests have all run and passed.
package struct PassedTests: Sendable, Codable, Hashable {
    package let key: String
    package let target: String
    /// The number of tests; 0 withdraws an earlier record of the same key.
    package let tests: Int
    package let seconds: Double

    package init(key: String, target: String, tests: Int, seconds: Double) {
        (self.key, self.target, self.tests, self.seconds) = (key, target, tests, seconds)
    }

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

    /// Reads a record.
    ///
    /// - Returns: nil if this is not a record of the key, or withdraws it.
    init?(_ data: Data, of key: String) {
        guard let record = Self.record(in: data, of: key), record.tests > 0 else { return nil }
        self = record
    }

    /// Whether this is a record that withdraws an earlier one.
    static func isWithdrawn(_ data: Data, of key: String) -> Bool { record(in: data, of: key)?.tests == 0 }

    /// The record in the JSON text, which a server may have put between other fields.
    private static func record(in data: Data, of key: String) -> PassedTests? {
        guard let start = data.firstRange(of: Data("{\"key\":".utf8))?.lowerBound,
            let end = data[start...].firstIndex(of: UInt8(ascii: "}")),
            let record = try? JSONDecoder().decode(PassedTests.self, from: data[start...end])
        else { return nil }
        return record.key == key ? record : nil
    }
}
