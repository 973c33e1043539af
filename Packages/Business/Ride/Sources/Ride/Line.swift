/// The metro's line and what it costs to ride on it.
enum Line {
    static let stations = ["North Gate", "Museum", "Old Town", "Harbour", "University", "South Gate"]

    /// In cents: 2.00 for the first stop and 0.50 for each one more.
    static func fare(from: String, to: String) -> Int {
        guard let from = stations.firstIndex(of: from), let to = stations.firstIndex(of: to) else { return 0 }
        return 200 + 50 * max(0, abs(from - to) - 1)
    }
}
