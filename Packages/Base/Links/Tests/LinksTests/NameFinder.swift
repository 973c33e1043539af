import Links
import Synchronization

/// A finder that compares whole names: a route's pattern with the URL's segments, and `target/action` with both.
final class NameFinder: LinkFinder {
    let kind: Link.Kind
    private let links = Mutex<[String: Link]>([:])

    init(_ kind: Link.Kind) { self.kind = kind }

    /// The names of the installed links.
    var names: Set<String> { links.withLock { Set($0.keys) } }

    func add(_ new: [Link], with others: () throws(LinkError) -> Void) throws(LinkError) {
        try links.withLock { (links) throws(LinkError) in
            for link in new {
                if let earlier = links["\(link.name)"] {
                    throw LinkError(.conflict("\(earlier.site) and \(link.site)"), name: link.name)
                }
            }
            try others()
            for link in new { links["\(link.name)"] = link }
        }
    }

    func find(_ call: LinkCall) throws(LinkError) -> FoundLink {
        let name = call.url?.segments.joined(separator: "/") ?? call.requested
        return try links.withLock { (links) throws(LinkError) in
            if let link = links[name] { return FoundLink(link) }
            let similar = links.keys.first { $0.lowercased() == name.lowercased() }
            switch kind {
            case .route: throw LinkError(.noMatch, url: call.requested, similar: similar)
            case .action:
                throw LinkError(
                    .actionNotFound, name: .action(target: name, action: ""), similar: similar)
            }
        }
    }
}
