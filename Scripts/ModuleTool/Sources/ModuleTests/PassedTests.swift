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

    /// The field `stdout_raw` of an `ActionResult`, of the wire type "bytes".
    private static let field: UInt64 = 5 << 3 | 2

    /// The record as an `ActionResult` of Bazel's Remote Execution API, because servers such as bazel-remote accept
    /// nothing else under `/ac`. The record itself is the JSON text in `stdout_raw`.
    var encoded: Data {
        get throws {
            let text = try JSONEncoder().encode(self)
            return Data(Self.bytes(Self.field) + Self.bytes(UInt64(text.count))) + text
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

    private static func record(in data: Data, of key: String) -> PassedTests? {
        var rest = data[...]
        while let head = number(&rest) {
            var length: Int?
            switch head & 7 {
            case 0: length = number(&rest).map { _ in 0 }
            case 1: length = 8
            case 2: length = number(&rest).flatMap { Int(exactly: $0) }
            case 5: length = 4
            default: break
            }
            guard let length, length <= rest.count else { return nil }
            let value = rest.prefix(length)
            rest = rest.dropFirst(length)
            // A server may have added other fields.
            guard head == field else { continue }
            let record = try? JSONDecoder().decode(PassedTests.self, from: value)
            return record?.key == key ? record : nil
        }
        return nil
    }

    // MARK: Numbers of the wire format, seven bits a byte

    private static func bytes(_ number: UInt64) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + bytes(number >> 7)
    }

    private static func number(_ data: inout Data) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard let byte = data.popFirst() else { return nil }
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return number }
        }
        return nil
    }
}
