/// The Shell's list of registrations.
enum RegistrationsFile {
    static let path = "Apps/Shell/Sources/Shell/Registrations.swift"

    /// The file for these pairs, in the order of the root manifest.
    static func text(_ pairs: [PairList.Pair]) -> String {
        let names = pairs.map(\.name)
        let alternatives = pairs.filter { $0.alternativeTo != nil }.map { "\"\($0.name)\"" }
        let imports = names.map { "\n#if \($0)\nimport \($0)\n#endif" }.joined()
        let list = names.map { "        \"\($0)\",\n" }.joined()
        let modules = names.map { "\n        #if \($0)\n        \($0)Module()\n        #endif" }.joined()
        return """
            // Made by Scripts/registrations from the pairs in Package.swift; run it after changing those.

            import Lifecycle
            \(imports)

            /// The modules of the app: every pair of the root manifest whose trait is on.
            enum Registrations {
                /// The names of all pairs, whether or not this build has them.
                static let names = [
            \(list)    ]

                /// The names of those that take another's place, and cannot be in a build with it.
                static let alternatives: Set<String> = [\(alternatives.joined(separator: ", "))]

                /// The modules that this build has.
                @ModuleList static var modules: [any Module] {\(modules)
                }
            }

            """
    }
}
