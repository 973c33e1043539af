/// The metro line: its stations and fares.
enum Line {
    static let stations = ["North Gate", "Museum", "Old Town", "Harbour", "University", "South Gate"]

    /// The fare in cents: €2.00 for the first stop and €0.50 for each further one; 0 if either station
    /// is not on the line.
    static func fare(from: String, to: String) -> Int {
        guard let from = stations.firstIndex(of: from), let to = stations.firstIndex(of: to) else { return 0 }
        return 200 + 50 * max(0, abs(from - to) - 1)
    }
}
