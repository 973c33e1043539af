/// What the rules need to know about one Swift file.
package struct SourceFacts: Sendable, Hashable {
    package var imports: [Import] = []
    package var calls: [ApiUse] = []
    package var declarations: [Declaration] = []

    /// What an Api package must not hold. Looked for in the files of Api packages alone.
    package var impurities: [Impurity] = []

    package init() {}

    /// One `import`, whatever its spelling.
    package struct Import: Sendable, Hashable {
        /// The module: `X` in `import struct X.Y` and in `import X.Sub`.
        package let module: String
        package let position: Position
        package let condition: Condition
    }

    /// A call that registers or asks for an Api, or that makes a module type.
    package struct ApiUse: Sendable, Hashable {
        /// What the call does.
        package enum Kind: String, Sendable, Hashable {
            /// `api(type:)`: nil when nothing is registered.
            case api
            /// `requireApi(type:)`: an error when nothing is registered.
            case requireApi
            case registerApi
            /// `RideModule()`: an app that lists a module installs it.
            case module
        }

        package let kind: Kind

        /// The type as it is written, `X` or `M.X`; nil when it is not a literal `X.self`.
        package let type: String?

        /// The argument as it is written.
        package let argument: String
        package let position: Position
        package let condition: Condition
    }

    /// A declaration that can be seen from outside the package, a protocol, or a module type's version.
    package struct Declaration: Sendable, Hashable {
        /// `protocol`, `struct`, `func` ...
        package let keyword: String
        package let name: String

        /// The type that it is a member of, or that an extension extends.
        package let parent: String?
        package let isPublic: Bool

        /// The text of a stored property's string literal.
        package let literal: String?
        package let position: Position
    }

    /// Something in an Api package that is more than a protocol, a plain type or a name.
    package struct Impurity: Sendable, Hashable {
        package let what: String
        package let mend: String
        package let position: Position
    }
}

extension SourceFacts: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(imports)
        writer.write(calls)
        writer.write(declarations)
        writer.write(impurities)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        imports = try reader.array()
        calls = try reader.array()
        declarations = try reader.array()
        impurities = try reader.array()
    }
}

extension SourceFacts.Import: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(module)
        position.encode(into: &writer)
        condition.encode(into: &writer)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        module = try reader.string()
        position = try Position(from: &reader)
        condition = try Condition(from: &reader)
    }
}

extension SourceFacts.ApiUse: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(kind.rawValue)
        writer.write(type)
        writer.write(argument)
        position.encode(into: &writer)
        condition.encode(into: &writer)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        guard let kind = Kind(rawValue: try reader.string()) else { throw TornBytes() }
        self.kind = kind
        type = try reader.optionalString()
        argument = try reader.string()
        position = try Position(from: &reader)
        condition = try Condition(from: &reader)
    }
}

extension SourceFacts.Declaration: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(keyword)
        writer.write(name)
        writer.write(parent)
        writer.write(isPublic)
        writer.write(literal)
        position.encode(into: &writer)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        keyword = try reader.string()
        name = try reader.string()
        parent = try reader.optionalString()
        isPublic = try reader.bool()
        literal = try reader.optionalString()
        position = try Position(from: &reader)
    }
}

extension SourceFacts.Impurity: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(what)
        writer.write(mend)
        position.encode(into: &writer)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        what = try reader.string()
        mend = try reader.string()
        position = try Position(from: &reader)
    }
}
