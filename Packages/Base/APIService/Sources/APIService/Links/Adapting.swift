import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The link that lets the accessories adapt every attempt.
package struct Adapting: Link {
    let accessories: [any APIAccessory]
    let journal: Journal

    package init(_ accessories: [any APIAccessory], journal: Journal) {
        (self.accessories, self.journal) = (accessories, journal)
    }

    package func send(_ request: URLRequest, _ next: Next) async throws -> APIAnswer {
        try await next(adapted(request))
    }

    /// Returns the request as the accessories adapt it.
    package func adapted(_ request: URLRequest) async throws -> URLRequest {
        guard !accessories.isEmpty else { return request }
        journal.note(.accessories, accessories.map { "\(type(of: $0))" }.joined(separator: ", "))
        var request = request
        for accessory in accessories { request = try await accessory.adapt(request) }
        return request
    }
}
