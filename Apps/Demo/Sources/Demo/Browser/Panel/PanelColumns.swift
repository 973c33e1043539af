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
        names = Set(calls.flatMap(\.participants)).sorted(by: Self.areInOrder)
    }

    /// Whether the column of one name stands before that of the other.
    static func areInOrder(_ one: String, _ other: String) -> Bool { rank(one) < rank(other) }

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

    /// The widths of the columns in rem. Each is as wide as its name, so that the names stand in one row.
    var widths: [Double] { names.map { Double(Self.title(of: $0).count) * 0.5 + 0.9 } }

    /// The width of all columns in rem.
    var width: Double { widths.reduce(0, +) }

    /// The distance in rem of the middle of a column from the left edge of the first one; nil for a name without a column.
    func middle(of name: String) -> Double? {
        names.firstIndex(of: name).map { widths[..<$0].reduce(0, +) + widths[$0] / 2 }
    }

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
    /// The callee of an action that no module answers.
    static let nobody = "no module"

    /// The caller, if it is known, and the callee, unless it is unknown.
    var participants: [String] {
        let isKnown = way != .notification && callee != Self.nobody
        return [caller, isKnown ? callee : nil].compactMap(\.self)
    }
}
