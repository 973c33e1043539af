/// The metro line. The operator's server knows the fares.
enum Line {
    static let stations = ["North Gate", "Museum", "Old Town", "Harbour", "University", "South Gate"]
}
