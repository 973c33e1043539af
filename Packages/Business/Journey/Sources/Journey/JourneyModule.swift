import ApiCenter
import JourneyApi
import Lifecycle
import Storage

/// Registers Journey. The package's only public declaration.
public struct JourneyModule: Module {
    public let version = "1.0.1"

    public let remoteRoutes: Set = [JourneyRoute.main, JourneyRoute.list]

    public init() {}

    public func register(in center: ApiCenter) throws {
        let saved = try center.requireApi(type: Storage.self)
            .document("journeys", version: 1, default: JourneyService.Saved())
        center.registerApi(
            type: JourneyApiProtocol.self, impBuilder: once { JourneyService(center: $0, saved: saved) })
    }

    public func routes(in center: ApiCenter) -> [String: RouteHandler] {
        [
            JourneyRoute.main: { _ in ["page": "JourneyVC"] },
            JourneyRoute.list: { parameters in
                // From the path it comes as a number, from the query as a text.
                let asked = parameters["limit"] ?? 10
                guard let limit = asked as? Int ?? Int("\(asked)"), limit > 0 else {
                    throw BadLimit(limit: "\(asked)")
                }
                return try center.requireApi(type: JourneyApiProtocol.self).journeys(limit: limit).map(\.line)
            },
        ]
    }
}

/// A call of ``JourneyRoute/list`` for a number of journeys that is none.
struct BadLimit: Error, CustomStringConvertible {
    let limit: String

    var description: String { "limit is \(limit), and has to be 1 or more: it is the most journeys to list" }
}
