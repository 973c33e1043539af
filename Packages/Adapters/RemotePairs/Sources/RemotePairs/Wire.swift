import Foundation
import GRPCCore

/// Encodes and decodes the messages as JSON. gRPC transfers only their bytes, so an encoding error stays on its own
/// side, and a repeated call is not encoded again.
enum Wire {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }()

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }()

    /// Encodes a message of at most `limit` bytes.
    ///
    /// - Parameter what: The message's name in errors: `request` or `answer`.
    static func encode(_ message: some Encodable, as what: String, limit: Int) throws(RPCError) -> Data {
        let data: Data
        do { data = try encoder.encode(message) } catch {
            throw RPCError(
                code: .invalidArgument, message: "the \(what) cannot be encoded as JSON: \(readable(error))")
        }
        guard data.count <= limit else {
            throw RPCError(
                code: .resourceExhausted,
                message: "the \(what) has \(data.count) bytes, and at most \(limit) are allowed")
        }
        return data
    }

    static func decode<Message: Decodable>(_ data: Data, as what: String) throws(RPCError) -> Message {
        do { return try decoder.decode(Message.self, from: data) } catch {
            throw RPCError(
                code: .invalidArgument, message: "the \(what) cannot be decoded: \(readable(error))")
        }
    }

    private static func readable(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(path(context)) has no \(key.stringValue)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            "\(path(context)): \(context.debugDescription)"
        case EncodingError.invalidValue(_, let context): "\(path(context)): \(context.debugDescription)"
        default: String(describing: error)
        }
    }

    private static func path(_ context: DecodingError.Context) -> String { path(context.codingPath) }
    private static func path(_ context: EncodingError.Context) -> String { path(context.codingPath) }
    private static func path(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "the message" : path.map(\.stringValue).joined(separator: ".")
    }
}

/// The arguments of a call, as a JSON array in the order of the parameters.
struct Arguments<each Argument: Codable & Sendable>: Codable, Sendable {
    let values: (repeat each Argument)

    init(_ values: repeat each Argument) { self.values = (repeat each values) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        repeat try container.encode(each values)
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        values = (repeat try container.decode((each Argument).self))
    }
}

/// An answer, or one element of a stream: `{"value": …}`, or `{"error": …}` for an error that the Api declares.
enum Answer<Value: Codable & Sendable, Failure: Error & Codable>: Codable, Sendable {
    case value(Value)
    case error(Failure)

    private enum Key: String, CodingKey { case value, error }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .value(let value): try container.encode(value, forKey: .value)
        case .error(let error): try container.encode(error, forKey: .error)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self =
            container.contains(.error)
            ? .error(try container.decode(Failure.self, forKey: .error))
            : .value(try container.decode(Value.self, forKey: .value))
    }

    func get() throws(Failure) -> Value {
        switch self {
        case .value(let value): return value
        case .error(let error): throw error
        }
    }
}

/// Passes encoded messages to and from gRPC.
struct Bytes: MessageSerializer, MessageDeserializer {
    func serialize<Contents: GRPCContiguousBytes>(_ message: Data) -> Contents { Contents(message) }

    func deserialize<Contents: GRPCContiguousBytes>(_ contents: Contents) -> Data {
        unsafe contents.withUnsafeBytes { unsafe Data($0) }
    }
}
