/// The value of an expression in a manifest.
indirect enum ManifestValue {
    case text(Text)
    case list([ManifestValue])
    case bool(Bool)
    case none
    /// A value of a struct that the manifest declares.
    case record(type: String, fields: [String: ManifestValue])
    /// A call such as `.target(name: "A")`. A range counts as a call of its operator.
    case call(Call)
    /// An expression that the evaluator does not understand. Reading the manifest fails only if this value is
    /// needed.
    case unknown

    struct Text {
        let value: String

        /// The position of the literal that the text equals or was computed from.
        let origin: Position?

        /// Whether the text is the literal itself.
        let isLiteral: Bool
    }

    struct Call {
        let name: String
        let arguments: [Argument]

        /// The position of the call; nil in a body, which may be evaluated many times.
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

    /// Whether two values are equal; nil if the evaluator cannot compare them.
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
