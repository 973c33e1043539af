/// An Api that was asked for and is not registered.
///
/// Thrown by ``ApiCenter/requireApi(type:fileID:line:)``. The description is for a person: where, what, why
/// and how to mend it.
public struct ApiError: Error, Hashable, CustomStringConvertible {
    /// The module-qualified name of the Api that is missing: `ModuleBApi.ModuleBApiProtocol`.
    public let api: String

    /// Where it was asked for.
    public let site: CallSite

    /// The registered Apis with a similar name, sorted: a typing error, or another module's of that name.
    public let similar: [String]

    init(api: String, site: CallSite, registered: [String]) {
        self.api = api
        self.site = site
        similar = registered.filter { Self.isSimilar($0, api) }
    }

    /// Where, what, why and how to mend it, in one line.
    public var description: String {
        let alike =
            similar.isEmpty ? "" : " Registered under similar names: \(similar.joined(separator: ", "))."
        let type = api.split(separator: ".").last.map(String.init) ?? api
        return """
            \(site): no IMP of \(api) is registered.\(alike) An Api has an IMP only once its module has \
            registered it, and a module may be left out of an app. Register it at launch, before this call \
            (registerApi(type: \(type).self) { ... }), or ask with api(type:) and go on without it when that \
            returns nil.
            """
    }

    /// Whether the names, without their modules and what every Api's name ends in, are the same or a few
    /// letters apart.
    private static func isSimilar(_ one: String, _ other: String) -> Bool {
        let one = stem(one), other = stem(other)
        return distance(Array(one), Array(other)) <= min(one.count, other.count) / 5
    }

    /// `moduleb` of `ModuleBApi.ModuleBApiProtocol`.
    private static func stem(_ name: String) -> String {
        var stem = name.split(separator: ".").last?.lowercased() ?? ""
        for ending in ["protocol", "api"] where stem.hasSuffix(ending) { stem.removeLast(ending.count) }
        return stem
    }

    /// How many letters must be put in, taken out or changed (Levenshtein).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, otherLetter) in other.enumerated() {
                let change = diagonal + (letter == otherLetter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
