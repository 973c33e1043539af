import HomeApi
import JourneyApi
import Pages
import PayTypeApi
import RideApi
import UserApi

/// The icons of the navigation bar, drawn with lines on a field of 24 x 24.
enum TabIcon {
    private static let paths = [
        PageAddress.first.route: "M3 11l9-8 9 8M6 9v11h12V9M10 20v-6h4v6",
        RideRoute.main: "M6 4h12v13H6zM6 11h12M9 14h0M15 14h0M8 21l2-4M16 21l-2-4",
        PayTypeRoute.main: "M3 6h18v12H3zM3 10h18M6 15h4",
        JourneyRoute.main: "M6 5a2 2 0 1 0 0 .1M18 17a2 2 0 1 0 0 .1M8 5h6a3 3 0 0 1 0 6h-4a3 3 0 0 0 0 6h6",
        UserRoute.main: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c0-5 16-5 16 0",
    ]

    /// The icon of a tab; empty for a tab without one.
    static func html(for row: PageRow) -> String {
        guard case .address(let address) = row.target, let path = paths[address.route] else { return "" }
        return "<svg viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
    }
}

extension QRCode {
    /// The code as an image with the margin that readers need.
    func html(label: String) -> String {
        let modules = rows.indices.flatMap { y in
            rows[y].indices.filter { rows[y][$0] }.map { x in "M\(x) \(y)h1v1h-1z" }
        }
        return """
            <svg class="qr" viewBox="-4 -4 33 33" role="img" aria-label="\(label.escaped)"><rect x="-4" y="-4" width="33" \
            height="33"/><path d="\(modules.joined())"/></svg>
            """
    }
}
