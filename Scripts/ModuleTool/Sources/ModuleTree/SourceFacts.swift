/// The facts about one Swift file that the rules need.
package struct SourceFacts: Sendable, Hashable {
    package var imports: [Import] = []
    package var calls: [ApiUse] = []
    package var declarations: [Declaration] = []

    /// Declarations that an Api package must not contain. Collected only for the files of Api packages.
    package var impurities: [Impurity] = []

    package init() {}

    /// An `import` declaration of any form.
    package struct Import: Sendable, Hashable {
        /// The imported module: `X` in `import struct X.Y` and in `import X.Sub`.
        package let module: String
        package let position: Position
        package let condition: Condition
    }

    /// A call that registers or requests an Api, or that creates a module type.
    package struct ApiUse: Sendable, Hashable {
        /// The kind of a call.
        package enum Kind: String, Sendable, Hashable {
            /// `api(type:)`, which returns nil if nothing is registered.
            case api
            /// `requireApi(type:)`, which throws an error if nothing is registered.
            case requireApi
            /// `registerApi(type:impBuilder:)`
            case registerApi
            /// `register(_:scope:impBuilder:)`
            case register
            /// `RideModule()`. An app creates the module types that it installs.
            case module

            package var isRegistration: Bool { self == .registerApi || self == .register }
        }

        package let kind: Kind

        /// The type as written, `X` or `M.X`; nil if the argument is not a literal `X.self`.
        package let type: String?

        /// The argument as written.
        package let argument: String
        package let position: Position
        /// The `#if` conditions around the call and, except for requests, the branches around it.
        package let condition: Condition
    }

    /// A public declaration, a type, a typealias, the version of a module type or, in an Api, an extension that
    /// contains more than constants.
    package struct Declaration: Sendable, Hashable {
        /// The keyword: `protocol`, `struct`, `func` and so on.
        package let keyword: String
        package let name: String

        /// The type that contains the declaration, or that the surrounding extension extends; nil at the top
        /// level.
        package let parent: String?
        package let isPublic: Bool

        /// The string literal of a module type's `version`, or the name of the type that a typealias stands
        /// for; nil for all other declarations.
        package let literal: String?
        package let position: Position
    }

    /// A declaration that an Api package must not contain.
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
