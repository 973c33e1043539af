import ApiCenter
import JourneyApi
import Lifecycle
import Links

/// Registers Journey. The package's only public declaration.
public struct JourneyModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(JourneyApiProtocol.self, scope: .once) { try JourneyService(center: $0) }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(JourneyRoute.main, from: .outside, on: MainActor.shared) { [weak center] _ in
                center.map { JourneyPage(center: $0) }
            },
            .route(JourneyRoute.list, from: .outside) { [weak center] parameters in
                let limit = parameters["limit"] == nil ? 10 : try parameters.required("limit", as: Int.self)
                guard limit > 0 else {
                    throw ParameterError(key: "limit", expected: "1 or more", found: "\(limit)")
                }
                return try center?.requireApi(type: JourneyApiProtocol.self).journeys(limit: limit).map(
                    \.line)
            },
        ]
    }
}
