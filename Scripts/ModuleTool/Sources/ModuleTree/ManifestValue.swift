/// What an expression of a manifest comes to.
indirect enum ManifestValue {
    case text(Text)
    case list([ManifestValue])
    case bool(Bool)
    case none
    /// A value of a struct that the manifest declares.
    case record(type: String, fields: [String: ManifestValue])
    /// `.target(name: "A")`; a range is a call of its operator.
    case call(Call)
    /// Whatever is not understood. Only who needs it minds.
    case unknown

    struct Text {
        let value: String

        /// Where the literal stands that it is, or is made from.
        let origin: Position?

        /// Whether it is that literal.
        let isLiteral: Bool
    }

    struct Call {
        let name: String
        let arguments: [Argument]

        /// Where it is written; nil in a body, which makes many.
        let position: Position?
    }

    struct Argument {
        let label: String?
        let value: ManifestValue
    }

    var text: Text? { if case .text(let text) = self { text } else { nil } }
    var list: [ManifestValue]? { if case .list(let list) = self { list } else { nil } }
    var call: Call? { if case .call(let call) = self { call } else { nil } }
    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// Whether two values are equal; nil where that is not known.
    func equals(_ other: ManifestValue) -> Bool? {
        switch (self, other) {
        case (.text(let a), .text(let b)): a.value == b.value
        case (.bool(let a), .bool(let b)): a == b
        case (.none, .none): true
        case (.none, .text), (.text, .none): false
        default: nil
        }
    }
}
