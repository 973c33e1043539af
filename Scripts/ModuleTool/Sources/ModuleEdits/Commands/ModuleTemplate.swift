/// Generates the module type, which registers an IMP.
struct ModuleTemplate {
    let name: String
    /// The pair whose Api the IMP implements.
    let api: String
    /// Whether the service calls other modules, for which it needs the center.
    let needsCenter: Bool

    var text: String {
        let service = "\(name)Service(\(needsCenter ? "center: $0" : ""))"
        let head = "        center.register(\(api)ApiProtocol.self, scope: .once) {"
        let registration = Layout.fitting(
            "\(head) \(service) }", "\(head)\n            \(service)\n        }")
        let purpose = name == api ? "Registers \(name)." : "Registers \(name) instead of \(api)."
        return """
            \(Layout.imports(["ApiCenter", "Lifecycle", api + "Api"]))

            /// \(purpose) The package's only public declaration.
            public struct \(name)Module: Module {
                public let version = "1.0.0"

                public init() {}

                public func register(in center: ApiCenter) {
            \(registration)
                }
            }

            """
    }
}
