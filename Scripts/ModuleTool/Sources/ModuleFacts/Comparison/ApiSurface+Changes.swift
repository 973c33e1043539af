import ModuleKit

extension ApiSurface {
    package struct Changes: Sendable, Equatable {
        /// Whether anything visible to callers differs, including additions.
        package var isChanged = false
        /// The changes that break callers or conforming types.
        package var breaks: [Break] = []
        /// The declarations that changed without a break: added, relaxed or deprecated ones.
        package var additions: [SourcePlace] = []

        package init() {}

        /// Adds the changes of another module of the package. Those of its fakes need no deprecation.
        package mutating func add(_ other: Self, areFakes: Bool) {
            isChanged = isChanged || other.isChanged
            additions += other.additions
            breaks += other.breaks.map {
                Break(what: $0.what, place: $0.place, isUnannounced: $0.isUnannounced && !areFakes)
            }
        }
    }

    /// A change that breaks callers or conforming types.
    package struct Break: Sendable, Equatable {
        package init(what: String, place: SourcePlace?, isUnannounced: Bool, library: String? = nil) {
            (self.what, self.place, self.isUnannounced) = (what, place, isUnannounced)
            self.library = library
        }

        package let what: String
        /// The changed declaration or, if it was removed, the one that contained it; nil if that one is gone too.
        package let place: SourcePlace?
        /// Whether a declaration was removed without prior deprecation.
        package let isUnannounced: Bool
        /// The library that contains the declaration, if the compared module only shows it.
        package let library: String?
    }

    /// Compares this state with a newer one.
    ///
    /// - Parameter api: The newer state of the Api that fakes import.
    package func changes(to new: ApiSurface, importing api: ApiSurface? = nil) -> Changes {
        SurfaceComparison(of: self, with: new, importing: api).changes
    }

    /// Whether an enum conforms to Hashable only because none of its cases has a payload.
    func isHashable(_ path: String) -> Bool {
        self[path].contains { type in
            !type.names.isEmpty
                && !type.names.contains { self["\(path).\($0)"].contains(where: \.hasPayload) }
        } && self["conformance of \(path) to Equatable"].isEmpty
    }

    /// A protocol and all protocols that it inherits, directly or indirectly.
    func protocols(of path: String) -> [String] {
        reachable(from: [path]) { self[$0].filter(\.isProtocol).flatMap(\.names) }
    }
}
