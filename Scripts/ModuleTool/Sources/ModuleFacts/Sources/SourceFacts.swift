import ModuleKit

package struct SourceFacts: Sendable, Hashable, Codable {
    @Sparse package var imports: [Import] = []
    @Sparse package var calls: [ApiUse] = []
    @Sparse package var declarations: [Declaration] = []
    @Sparse package var routes: [Route] = []
    /// The functions of a file that may register an Api, or call a function that does.
    @Sparse package var bodies: [Body] = []
    /// Whether the file contains only comments.
    @Sparse package var isEmpty = false

    /// The comments that allow findings.
    @Sparse package var allowances: [Allowance] = []

    /// Declarations that an Api package must not contain. Collected only for the files of Api packages.
    @Sparse package var forbidden: [ForbiddenDeclaration] = []
    /// All declarations in a file of an Api package.
    @Sparse var index: [ApiSurface.Declaration] = []
    /// The names that a file of an Api package declares.
    package var declaredNames: [String] { index.map(\.name) }

    package init() {}

    package struct Import: Sendable, Hashable, Codable {
        /// The imported module: `X` in `import struct X.Y` and in `import X.Sub`.
        package let module: String
        package let position: Position
        /// The `#if` conditions around the import; nil if there are none.
        package let condition: Condition?
        /// Whether files that import this file's module can use the imported module too.
        @Sparse package var isExported = false
    }

    /// Code that is executed together: a function, an initialiser, a getter, the initial value of a variable, a closure
    /// that is the value of a variable, or a file's top level.
    package struct Body: Sendable, Hashable, Codable {
        /// Where the code that calls a body can stand.
        package enum Callers: String, Sendable, Hashable, Codable {
            case file
            case package
            /// Also outside the package's sources, such as a framework that calls an app's delegate.
            case any
        }

        /// The name without labels: of an initialiser or a stored property, that of its type. Empty for a file.
        package let name: String
        /// The type around the declaration; nil at the top level.
        package let parent: String?
        @Sparse package var isPublic: Bool
        /// The labels of a function's arguments, those with a default behind a question mark; nil if they are unknown.
        package let labels: [String]?
        package let callers: Callers
        /// The parameters of a function that are functions.
        @Sparse package var parameters: [Parameter] = []
        @Sparse package var uses: Set<Use> = []
    }

    /// A parameter that is a function.
    package struct Parameter: Sendable, Hashable, Codable {
        package let label: String
        package let name: String
    }

    /// A closure around code, or a function's name, that a call passes to a function.
    package struct Closure: Sendable, Hashable, Codable {
        /// The function that gets the closure.
        package let function: String
        /// The label of the argument: `_` if it has none, empty for a trailing closure.
        package let label: String
    }

    /// A name that a body calls, or uses as a value.
    package struct Use: Sendable, Hashable, Codable {
        package let name: String
        /// The labels of the arguments; nil if the name is not called, or if the call has a trailing closure.
        package let labels: [String]?
        /// The `#if` conditions around the use; nil if there are none.
        package let condition: Condition?
        /// What decides at run time whether the body executes the use; nil if it always does.
        package var branch: String?
        /// Whether the name is called, or passed to a function that may call it.
        @Sparse package var isCalled: Bool
        /// The functions that decide whether the use is executed.
        @Sparse package var closures: [Closure]
        /// Where the registry is made that the call passes on, if the code around the call makes it.
        package let center: Position?
    }

    /// A call that registers or requests an Api, or that instantiates a module type.
    package struct ApiUse: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable {
            /// `api(type:)`, which returns nil if nothing is registered.
            case api
            /// `requireApi(type:)`, which throws an error if nothing is registered.
            case requireApi
            case registerApi
            case register
            case replaceApi
            case removeApi
            /// `RideModule()`. An app instantiates the modules that it installs.
            case module

            package var isRegistration: Bool { self == .registerApi || self == .register }
            package var isRequest: Bool { self == .api || self == .requireApi }
        }

        package let kind: Kind

        /// The type as written, `X` or `M.X`; nil if the argument is not a literal `X.self`.
        package let type: String?

        package let argument: String
        package let position: Position
        /// The `#if` conditions around the call.
        @Sparse package var condition: Condition
        /// What decides at run time whether the call is executed, such as `if at 12:9`; nil for a call that is always
        /// executed, and for requests.
        package var branch: String?
        /// The `try` whose error may skip the call, although the code around it continues; nil for requests.
        package var attempt: String?
        /// The functions that decide whether a registration is executed.
        @Sparse package var closures: [Closure] = []
        /// Where the registry of a registration is made, if the same body makes it.
        package var center: Center?
        /// The index of the body that contains the call, in ``SourceFacts/bodies``; nil at the top level.
        package var body: Int?
    }

    /// A registry that code makes for itself.
    package struct Center: Sendable, Hashable, Codable {
        package let position: Position
        /// Whether code beside its registrations uses it too.
        package let isPassedOn: Bool
    }

    /// A public declaration, a type, a typealias, a member of a module type, a protocol to which a module type conforms
    /// or, in an Api, an extension that contains more than constants.
    package struct Declaration: Sendable, Hashable, Codable {
        /// The keyword of a protocol to which a module type conforms.
        package static let conformance = "conformance"

        /// The keyword: `protocol`, `struct`, `func` and so on, or ``conformance``.
        package let keyword: String
        package let name: String

        /// The type that contains the declaration, or that the surrounding extension extends; nil at the top
        /// level.
        package var parent: String?
        @Sparse package var isPublic = false
        /// The labels of a module type's function, such as `(_:in:)`, followed by ` async` if it is asynchronous.
        package var signature: String?
        /// Whether only the file sees the declaration.
        @Sparse package var isPrivate = false

        /// The string literal of a module type's `version`, or the name of the type that a typealias stands
        /// for; nil for all other declarations.
        package var literal: String?
        package let position: Position
    }

    /// A route that a module answers: `.route(pattern) { … }`.
    package struct Route: Sendable, Hashable, Codable {
        /// The pattern as written, such as `RideRoute.main`.
        package let pattern: String
        package let position: Position
    }

    package struct ForbiddenDeclaration: Sendable, Hashable, Codable {
        package let what: String
        package let fix: String
        package let position: Position
        /// The names that the declaration uses; allowed if the Api declares all of them. Empty if nothing allows it.
        @Sparse package var names: Set<String> = []
        /// The type that the extension around the declaration extends.
        package var extended: String?
    }
}
