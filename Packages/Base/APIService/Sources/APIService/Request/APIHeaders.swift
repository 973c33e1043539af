import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// HTTP header fields, with case-insensitive names, in the order in which they were set.
public struct APIHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral, Sequence {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name as it was set.
        public let name: String
        /// The value.
        public let value: String
    }

    private var fields: [Field] = []

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of these fields, sorted by name.
    public init(_ fields: [String: String]) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// Creates a collection from a literal, for example `["Accept": "text/plain"]`.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field, regardless of the case of its name. Setting `nil` removes the field.
    public subscript(name: String) -> String? {
        get { index(name).map { fields[$0].value } }
        set {
            let index = index(name)
            switch (index, newValue) {
            case (let index?, let value?): fields[index] = Field(name: name, value: value)
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append(Field(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Iterates over the fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    private func index(_ name: String) -> Int? {
        let lower = name.lowercased()
        return fields.firstIndex { $0.name.lowercased() == lower }
    }

    /// Whether both have the same fields, regardless of their order and the case of their names.
    public static func == (left: Self, right: Self) -> Bool { left.folded == right.folded }

    /// Hashes the fields, regardless of their order and the case of their names.
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    private var folded: [String: String] {
        Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { $1 }
    }
}

/// The header fields of a request.
public typealias APIRequestHeaders = APIHeaders

extension URLRequest {
    /// Sets the header fields of a request without header fields.
    ///
    /// Sets all plain values in one assignment. Setting a single field checks its value for line breaks, which
    /// takes longer on Linux than creating the request.
    mutating func set(_ headers: APIHeaders) {
        func isPlain(_ value: String) -> Bool { value.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
        var plain: [String: String] = [:]
        for field in headers where isPlain(field.value) { plain[field.name] = field.value }
        allHTTPHeaderFields = plain
        for field in headers where !isPlain(field.value) {
            setValue(field.value, forHTTPHeaderField: field.name)
        }
    }
}

extension String {
    /// Whether both are names of the same header field: equal ASCII text, ignoring case.
    package func isSameField(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { one, other in
                one == other
                    || (one ^ other == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(one | 0x20))
            }
    }
}
