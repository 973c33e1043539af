import Mediator
import Routes

/// What a URL from outside can reach in an app.
struct Openable: Hashable {
    /// The URL as a usage line has it: `app://journeys[/LIMIT]`.
    let url: String
    /// What every such URL begins with: `journeys`.
    private let beginning: [Substring]

    /// - Parameter pattern: A route's pattern, or a target and its action.
    init(_ pattern: String) {
        let bare = pattern.replacing(/<\w+>/, with: "").replacing(/:(\w+)/) { $0.1.uppercased() }
        url = "app://" + bare.replacing("(", with: "[").replacing(")", with: "]")
        beginning = pattern.prefix { !"(:*".contains($0) }.split(separator: "/")
    }

    /// All there is, sorted.
    static func all(in app: App) -> [Openable] {
        let routes = app.routes.allRoutes().filter(\.isRemote).map(\.pattern)
        let actions = app.infrastructure.mediator.allActions().filter(\.isRemote).map {
            "\($0.target)/\($0.action)"
        }
        return (routes + actions).sorted().map(Openable.init)
    }

    /// The one that a URL most likely means; nil when it is like none.
    static func nearest(to url: String, in app: App) -> Openable? {
        let path = url.drop { $0 != ":" }.hasPrefix("://") ? url.drop { $0 != ":" }.dropFirst(3) : url[...]
        let asked = path.prefix { !"?#".contains($0) }.lowercased().split(separator: "/")
        let distances = all(in: app).map { openable in
            let beginning = openable.beginning.joined(separator: "/").lowercased()
            let part = asked.prefix(openable.beginning.count).joined(separator: "/")
            return (openable, distance: part.edits(to: beginning), length: beginning.count)
        }
        return distances.filter { $0.distance <= max(1, $0.length / 3) }.min { $0.distance < $1.distance }?.0
    }
}

extension String {
    /// How many letters have to be put in, taken out or changed to make the other one of this.
    ///
    /// Complexity: the product of both lengths, of which the first 64 letters count.
    func edits(to other: String) -> Int {
        let other = Array(other.prefix(64))
        var row = Array(0...other.count)
        for (number, letter) in prefix(64).enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for (column, its) in other.enumerated() {
                let change = diagonal + (letter == its ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
