import Foundation

/// Converts a value written by an older version of the app to the current type.
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
/// Each migration converts directly to the current type, so when the type changes, the compiler rejects every
/// migration that was not updated.
public struct Migration<Value>: Sendable {
    /// The version that this migration reads.
    public let version: Int

    let decode: @Sendable (Data) throws -> Value

    /// Creates a migration.
    ///
    /// - Parameters:
    ///   - version: The version of the document in which the value had the type `Old`.
    ///   - change: Converts an old value to the current type. If it throws, the file is treated as unreadable
    ///     (``StorageError/Code/unfit``).
    public init<Old: Decodable & SendableMetatype>(
        from version: Int, _ change: @escaping @Sendable (Old) throws -> Value
    ) {
        self.version = version
        decode = { try change(JSONDecoder().decode(DocumentForm.Body<Old>.self, from: $0).value) }
    }
}
