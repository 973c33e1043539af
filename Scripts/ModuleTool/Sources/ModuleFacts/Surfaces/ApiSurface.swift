import Foundation
import ModuleKit

/// An Api's public declarations as written, in all branches of `#if`.
package struct ApiSurface: Sendable, Equatable {
    /// A declaration, one of a type's conformances, or a promise of the manifest.
    package struct Declaration: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Codable {
            case `protocol`, `struct`, `class`, `enum`, actor, alias, associatedType
            case function, initializer, `subscript`, variable, enumCase, macro, conformance
            /// An operator, an exported import, the use of a macro, or a promise of the manifest.
            case other
        }

        /// The name with labels, such as `RideApiProtocol.rides(limit:)`. Overloads share a path.
        var path: String
        /// The path of the enclosing type; nil at the top level.
        var parent: String?
        /// The extended type, if the declaration is in an extension.
        var extended: String?
        @Sparse var condition: Condition
        package var kind: Kind
        /// Whether callers can name the declaration. Of other declarations, only the kind, the values, the bases, the
        /// isolation and the stored type are known.
        var isVisible = true
        /// Whether types that conform to the protocol around the declaration have to provide it.
        @Sparse var isRequirement = false
        /// The parts that all callers and conforming types see, in normal form. Any difference breaks some caller or
        /// conforming type.
        @Sparse var shape = ""
        /// The shape of a function without its parameters.
        @Sparse var frame = ""
        /// The attributes and modifiers in the shape.
        @Sparse var modifiers: Set<String> = []
        /// The names in the signature: of types, generic parameters and modules.
        @Sparse var mentions: Set<String> = []
        /// The types in the declaration. A default implementation has the same types as its requirement.
        @Sparse var types = ""
        /// The features that a new release may add but not remove: a setter, a default argument.
        @Sparse var grants: Set<String> = []
        /// The values whose changes affect callers without a compiler error: constants, raw values and default
        /// arguments.
        @Sparse var values: [String: String] = [:]
        /// What the declaration demands of callers: effects, mutation, isolation, and a type instead of an instance. A
        /// default implementation implements a requirement only if it demands no more.
        @Sparse var demands: Set<String> = []
        /// Restrictions, such as minimum platform versions, which a new release may only relax.
        @Sparse var restrictions: [String: [Int]] = [:]
        /// Whether the declaration is deprecated. True for conformances and operators, which cannot be.
        @Sparse var isDeprecated = false
        /// Whether a requirement has a setter. Of other variables and subscripts, the setter is a grant.
        @Sparse var isSettable = false
        /// The parameters of a function, an initialiser or a subscript, or the payload of an enum's case.
        @Sparse package var parameters: [Parameter] = []
        /// The protocols that a protocol inherits, the names of an enum's cases, the protocol of a conformance, or the type
        /// that an alias renames.
        @Sparse var names: [String] = []
        /// What determines the raw value of an enum's case that states none.
        var implicit: ImplicitRawValue?
        /// What a type inherits, with what this implies, or the type that an alias stands for.
        @Sparse var bases: [String] = []
        /// The global actor of a type; empty for `nonisolated`.
        var isolation: String?
        /// The type of a stored property of an instance, with its wrappers.
        var storedType: String?
        /// The properties that a Codable type encodes, each with its key and its type; nil for other declarations.
        var encoded: [String: String]?
        var place = DeclaredPlace()

        /// Whether other modules can inherit from this type.
        var isOpen: Bool { grants.contains("open") }
    }

    package struct Parameter: Sendable, Hashable, Codable {
        package let label: String
        package let type: String
        let hasDefault: Bool
    }

    struct ImplicitRawValue: Sendable, Hashable, Codable {
        /// The first type that the enum inherits.
        let type: String
        let name: String
        /// The number after that of the previous case.
        let number: Int
    }

    /// Where a declaration stands. Two declarations are equal wherever they stand.
    struct DeclaredPlace: Sendable, Hashable, Codable {
        var place: SourcePlace?

        static func == (left: Self, right: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// The declarations by path. The paths of members of protocol extensions begin with `extension `.
    var declarations: [String: [Declaration]]
    /// The compilation conditions that the manifest defines, each with the condition of the setting.
    private var defines: [String: Condition] = [:]

    /// - Parameters:
    ///   - files: The contents of the Api's files, by path.
    ///   - promises: What the manifest promises to callers, as declarations of the package.
    ///   - defines: The compilation conditions that the manifest defines, each with the condition of the setting.
    package init(
        module: String, _ files: [String: Data], promises: [Declaration] = [],
        defines: [String: Condition] = [:]
    ) throws(Diagnostic) {
        var reader = SurfaceReader(module: module)
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(data)
            reader = try SourceParser.read(bytes, in: path) { [reader] file in
                var reader = reader
                reader.read(file, in: path, LineTable(bytes))
                return reader
            }
        }
        declarations = SeenDeclarations(of: reader.found).byPath
        for declaration in promises { declarations[declaration.path] = [declaration] }
        self.defines = defines
    }

    /// The surface of a module of the tree.
    ///
    /// - Parameter facts: The facts of the files of an Api.
    package init(of facts: [SourceFacts]) {
        declarations = SeenDeclarations(of: facts.flatMap(\.index)).byPath
    }

    /// The places of the declarations with a path.
    package func places(of path: String) -> [SourcePlace] { self[path].compactMap(\.place.place) }

    /// This surface and another one, each with the compilation conditions that either manifest defines decided.
    func decided(with other: Self) -> (Self, Self) {
        let names = Set(defines.keys).union(other.defines.keys)
        func decided(_ surface: Self) -> Self {
            var copy = surface
            copy.declarations = surface.declarations.mapValues { found in
                found.map { declaration in
                    var copy = declaration
                    copy.condition = declaration.condition.replacing {
                        names.contains($0) ? surface.defines[$0] ?? .not(.always) : nil
                    }
                    return copy
                }
            }
            return copy
        }
        return names.isEmpty ? (self, other) : (decided(self), decided(other))
    }

    package subscript(path: String) -> [Declaration] { declarations[path] ?? [] }

    /// Whether the Api declares a public struct, enum or class at this path.
    package func declares(_ path: String) -> Bool {
        self[path].contains { [.struct, .enum, .class].contains($0.kind) }
    }
}
