import Digests
import Foundation

/// The file format of a document: one line of JSON with sorted keys, so that values whose encodings are equal
/// produce identical files. (A `Set` is encoded in another order in each process.)
///
/// ```text
/// {"checksum":"fnv1a64-0123456789abcdef","document":"journeys","value":[],"version":1}
/// ```
///
/// The checksum is the FNV-1a hash of all bytes after it. It detects accidental damage, which JSON alone does not:
/// damaged JSON is often still valid, with another value. It does not protect against deliberate changes.
struct DocumentForm {
    let name: String
    let version: Int
    /// The file's path, for error messages.
    let path: String

    struct Body<Value> {
        var document: String
        var value: Value
        var version: Int
    }

    private struct Head: Decodable {
        var checksum: String
        var document: String
        var version: Int
    }

    private static let opening = #"{"checksum":""#
    private static let method = "fnv1a64-"
    /// The lengths, in bytes, of the opening and of the checksum after it.
    private static let lengths = (opening: opening.utf8.count, checksum: method.utf8.count + 16)

    func data<Value: Encodable>(of value: Value) throws(StorageError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let body = try encoder.encode(Body(document: name, value: value, version: version))
            // The checksum is inserted after the opening brace. All bytes after the checksum are hashed.
            let rest = Data("\",".utf8) + body.dropFirst() + Data("\n".utf8)
            return Data((Self.opening + Self.checksum(rest)).utf8) + rest
        } catch {
            throw .notWritten(path, "its value cannot be encoded: \(error)")
        }
    }

    func value<Value: Decodable>(
        in data: Data, migrations: [Migration<Value>]
    ) throws(StorageError) -> Value {
        let head: Head
        do {
            head = try JSONDecoder().decode(Head.self, from: data)
        } catch DecodingError.dataCorrupted(_) {
            throw .torn(path)
        } catch {
            throw .foreign(path, "it lacks the keys of a document")
        }
        guard isWhole(data, checksum: head.checksum) else { throw .damaged(path) }
        guard head.document == name else { throw .foreign(path, "it belongs to \(head.document)") }
        guard head.version <= version else { throw .newer(path, found: head.version, known: version) }
        do {
            if head.version == version { return try JSONDecoder().decode(Body<Value>.self, from: data).value }
            guard let migration = migrations.first(where: { $0.version == head.version }) else {
                throw StorageError.noMigration(path, from: head.version, to: version)
            }
            return try migration.decode(data)
        } catch let error as StorageError {
            throw error
        } catch {
            throw .unfit(path, version: head.version, type: "\(Value.self)", "\(error)")
        }
    }

    /// Whether the bytes are unchanged since they were written.
    private func isWhole(_ data: Data, checksum: String) -> Bool {
        let length = Self.lengths.opening + Self.lengths.checksum
        return data.prefix(length) == Data((Self.opening + checksum).utf8)
            && checksum == Self.checksum(data.dropFirst(length))
    }

    /// The FNV-1a checksum of these bytes, as it appears in the file.
    static func checksum(_ data: Data) -> String {
        let digits = String(Digest.fnv1a(data.span), radix: 16)
        return method + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension DocumentForm.Body: Encodable where Value: Encodable {}
extension DocumentForm.Body: Decodable where Value: Decodable {}
