extension String {
    /// Returns `" Did you mean X?"` with the most similar candidate, or an empty string when no candidate is similar.
    /// The comparison ignores case, and considers only as many path segments as the candidate has.
    func hint(among candidates: [String]) -> String {
        let distances = candidates.map { candidate in
            let written = split(separator: "/").prefix(candidate.split(separator: "/").count)
            let text = written.joined(separator: "/").lowercased()
            return (candidate, distance: text.edits(to: candidate.lowercased()))
        }
        let similar = distances.filter { $0.distance <= Swift.max(1, $0.0.count / 3) }
        return similar.min { $0.distance < $1.distance }.map { " Did you mean \($0.0)?" } ?? ""
    }

    /// The Levenshtein distance to another string. Only the first 64 characters of each string are compared.
    ///
    /// Complexity: O(*m* × *n*), where *m* and *n* are the lengths of the strings, at most 64.
    private func edits(to other: String) -> Int {
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
