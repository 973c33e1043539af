import Foundation

/// An Api's public declarations as written, in all branches of `#if`.
package struct ApiSurface: Sendable, Equatable {
    /// A declaration, or one of a type's conformances.
    struct Declaration: Sendable, Hashable {
        enum Role { case member, requirement, enumCase, conformance }

        /// The name with labels, such as `RideApiProtocol.rides(limit:)`. Overloads share a path.
        var path: String
        /// The path of the enclosing type; nil at the top level.
        var parent: String?
        /// The extended type, if the declaration is in an extension.
        var extended: String?
        var condition: Condition
        var role: Role
        /// The parts that all callers and conforming types see, in normal form. Any difference breaks some caller or
        /// conforming type.
        var shape: String
        /// The shape of a function without its parameters.
        var frame = ""
        /// The types in the declaration. A default implementation has the same types as its requirement.
        var types = ""
        /// The features that a new release may add but not remove: a setter, a default argument.
        var grants: Set<String> = []
        /// The values whose changes affect callers without a compiler error: constants, raw values and default
        /// arguments.
        var values: [String: String] = [:]
        /// What the declaration demands of callers: effects, mutation, isolation, and a type instead of an instance. A
        /// default implementation implements a requirement only if it demands no more.
        var demands: Set<String> = []
        /// Restrictions, such as minimum platform versions, which a new release may only relax.
        var restrictions: [String: [Int]] = [:]
        /// Whether the declaration is deprecated. True for conformances and operators, which cannot be.
        var isDeprecated: Bool
        /// The parameters of a function, an initialiser or a subscript.
        var parameters: [Parameter] = []
        /// The protocols of the Api that a protocol inherits, or the names of an enum's cases.
        var names: [String] = []
        var place = DeclaredPlace()

        /// Whether other modules can inherit from this type.
        var isOpen: Bool { grants.contains("open") }
    }

    struct Parameter: Sendable, Hashable {
        let label: String
        let type: String
        let hasDefault: Bool
    }

    /// Where a declaration stands. Two declarations are equal wherever they stand.
    struct DeclaredPlace: Sendable, Hashable {
        var place: SourcePlace?

        static func == (left: Self, right: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// The declarations by path. The paths of members of protocol extensions begin with `extension `.
    var declarations: [String: [Declaration]]

    /// - Parameters:
    ///   - files: The contents of the Api's files, by path.
    ///   - terms: What the manifest promises to callers.
    package init(module: String, _ files: [String: Data], terms: ManifestTerms? = nil) throws(Diagnostic) {
        var reader = SurfaceReader(module: module)
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(data)
            reader = try SourceParser.read(bytes, in: path) { [reader] file in
                var reader = reader
                reader.read(file, in: path, LineTable(bytes))
                return reader
            }
        }
        declarations = reader.declarations
        for declaration in terms?.declarations ?? [] { declarations[declaration.path] = [declaration] }
    }

    subscript(path: String) -> [Declaration] { declarations[path] ?? [] }

    /// Whether the Api declares a public struct, enum or class at this path.
    func declares(_ path: String) -> Bool {
        self[path].contains { $0.shape.contains(/^(?:@\S+ )*(?:struct|enum|class)\s/) }
    }
}
