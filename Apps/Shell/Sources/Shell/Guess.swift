/// A candidate for the intended spelling of a misspelt word.
struct Guess {
    /// The text that the user wrote. The comparison ignores case.
    let written: String
    /// The correct spelling that `written` is compared with.
    let meant: String
    /// The form of the candidate that the hint shows.
    let shown: String

    /// Returns `" Did you mean X?"` with the closest candidate, or an empty string when no candidate is close
    /// enough.
    static func hint(among guesses: [Guess]) -> String {
        let distances = guesses.map {
            ($0, distance: $0.written.lowercased().edits(to: $0.meant.lowercased()))
        }
        let likely = distances.filter { $0.distance <= max(1, $0.0.meant.count / 3) }
        return likely.min { $0.distance < $1.distance }.map { " Did you mean \($0.0.shown)?" } ?? ""
    }
}

extension String {
    /// The Levenshtein distance to another text. Only the first 64 characters of each text count.
    ///
    /// Complexity: O(*m* × *n*), where *m* and *n* are the lengths of the strings, at most 64.
    func edits(to other: String) -> Int {
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
