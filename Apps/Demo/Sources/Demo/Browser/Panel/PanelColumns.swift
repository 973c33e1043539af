/// The columns of the panel: the app, the modules, and the operator's server, layer by layer and always in the same order.
struct PanelColumns: Sendable {
    /// A layer of the tree, as the panel colours it.
    enum Layer: String, CaseIterable, Sendable {
        case app, business, common, server

        var title: String {
            switch self {
            case .app: "the app"
            case .business: "business modules"
            case .common: "common modules"
            case .server: "the operator's server"
            }
        }
    }

    /// The modules of the layer Common. Every other module that is not listed is a business module.
    private static let common = ["User", "SDKManager", "Logger"]
    /// The business modules whose columns come first, from the page that a passenger sees first to the gate.
    private static let first = ["Home", "ServiceOpen", "Ride", "Gate", "PayType", "Journey", "WebContainer"]

    /// The names of the columns of a group, in order.
    let names: [String]

    /// - Parameter calls: The calls whose callers and callees have columns.
    init(of calls: [ModuleCall]) {
        names = Set(calls.flatMap(\.participants)).sorted { Self.rank($0) < Self.rank($1) }
    }

    static func layer(of name: String) -> Layer {
        if ["Demo", "Shell"].contains(name) { return .app }
        if name == ModuleCall.server { return .server }
        return common.contains(name) ? .common : .business
    }

    private static func rank(_ name: String) -> (Int, Int, String) {
        let layer = layer(of: name)
        let order = layer == .common ? common : first
        return (Layer.allCases.firstIndex(of: layer) ?? 0, order.firstIndex(of: name) ?? order.count, name)
    }

    /// The number of a column, from 1 on; nil for a name without a column.
    func number(of name: String) -> Int? { names.firstIndex(of: name).map { $0 + 1 } }

    /// The name as the panel shows it.
    static func title(of name: String) -> String {
        switch name {
        case "Demo": "App"
        case ModuleCall.server: "Server"
        default: name
        }
    }
}

extension ModuleCall {
    /// The callee of a request.
    static let server = "Operator"

    /// The caller, if it is known, and the callee, unless it is unknown.
    var participants: [String] {
        [caller, way == .notification ? nil : callee].compactMap(\.self)
    }
}
