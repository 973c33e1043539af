import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// HTTP header fields: names without regard to case, in the order in which they were set.
public struct APIHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral, Sequence {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public let name: String
        /// The value.
        public let value: String
    }

    private var fields: [Field] = []

    /// No fields.
    public init() {}

    /// These fields.
    public init(_ fields: [String: String]) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }

    /// `["Accept": "text/plain"]`
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field, whatever the case of its name; nil removes it.
    ///
    /// Complexity: O(*n*) in the number of fields.
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

    /// The fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    private func index(_ name: String) -> Int? {
        let lower = name.lowercased()
        return fields.firstIndex { $0.name.lowercased() == lower }
    }

    /// Whether both have the same fields, whatever their order and the case of their names.
    public static func == (left: Self, right: Self) -> Bool { left.folded == right.folded }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    private var folded: [String: String] {
        Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { $1 }
    }
}

/// The header fields of a request.
public typealias APIRequestHeaders = APIHeaders

extension URLRequest {
    /// Sets the fields of a request that has none.
    ///
    /// Those with plain values at once. One that is set by itself has the characters of its value looked through for
    /// line breaks, which takes Linux longer than to make the request.
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
