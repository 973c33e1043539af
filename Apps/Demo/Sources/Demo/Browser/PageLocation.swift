import Foundation
import Pages

/// The location of a page in the browser: the path and the query of its URL.
struct PageLocation: Hashable, Sendable {
    /// The location of the first page.
    static let first = PageLocation(PageAddress(""))
    /// The query item that names the outcome of a posted form. Routes never receive it.
    private static let doneKey = "@done"
    /// The folder of the pages without an address.
    private static let shownFolder = "shown/"

    /// The address of the page.
    let address: PageAddress
    /// The outcome to show above the page.
    var done: String?

    init(_ address: PageAddress, done: String? = nil) {
        (self.address, self.done) = (address, done)
    }

    /// Creates the location of a page without an address.
    init(shown id: String) { self.init(PageAddress(Self.shownFolder + id)) }

    /// Parses the target of an HTTP request, such as `/ride_vc?code=1`. Reserved parameters are dropped.
    init(target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = FormValues(parts.count > 1 ? String(parts[1]) : "")
        self.init(
            PageAddress(String(parts[0].drop { $0 == "/" }), items.values.filter { !$0.key.hasPrefix("@") }),
            done: items.values[Self.doneKey])
    }

    /// The identifier of a page without an address.
    var shown: String? {
        address.route.hasPrefix(Self.shownFolder)
            ? String(address.route.dropFirst(Self.shownFolder.count)) : nil
    }

    /// The same location without an outcome.
    var withoutOutcome: PageLocation { PageLocation(address) }

    /// The path and the query of the URL.
    var target: String {
        let items =
            address.parameters.sorted { $0.key < $1.key } + (done.map { [(Self.doneKey, $0)] } ?? [])
        let query = items.map { "\(Self.escape($0))=\(Self.escape($1))" }.joined(separator: "&")
        let path = address.route.addingPercentEncoding(withAllowedCharacters: Self.pathCharacters) ?? ""
        return "/\(path)\(query.isEmpty ? "" : "?\(query)")"
    }

    /// The beginning of ``target``, for the record of the calls, which is kept in memory.
    var shortTarget: String { target.count > 200 ? target.prefix(200) + "..." : target }

    private static let pathCharacters = CharacterSet.urlPathAllowed.union(["%"])

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", "_", ".", "@"])) ?? ""
    }
}

/// The values of a form or a query, `application/x-www-form-urlencoded`. The last value of a name counts.
struct FormValues {
    let values: [String: String]

    init(_ text: String) {
        values = text.split(separator: "&").reduce(into: [:]) { values, item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            values[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
    }
}
