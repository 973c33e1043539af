import Foundation

/// How the value that an older version of an app wrote becomes one of today.
///
/// ```swift
/// let journeys = try storage.document(
///     "journeys", version: 3, default: [Trip](),
///     migrations: [
///         Migration(from: 1) { (stations: [String]) in stations.map { Trip(to: $0, price: nil) } },
///         Migration(from: 2) { (trips: [TripV2]) in trips.map(Trip.init) },
///     ])
/// ```
///
/// Each leads straight to the present type, so that the compiler sees when one was forgotten.
public struct Migration<Value> {
    /// The version that it reads.
    public let version: Int

    let decode: (Data) throws -> Value

    /// A migration from `version`, whose values were of the type `Old`.
    ///
    /// - Parameters:
    ///   - version: The version that it reads.
    ///   - change: Makes today's value. What it throws makes the file one that this app cannot read.
    public init<Old: Decodable>(from version: Int, _ change: @escaping (Old) throws -> Value) {
        self.version = version
        decode = { try change(JSONDecoder().decode(DocumentForm.Body<Old>.self, from: $0).value) }
    }
}
