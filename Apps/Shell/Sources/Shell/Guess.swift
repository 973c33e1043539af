/// Something that a misspelt word may have been meant to be.
struct Guess {
    /// What was written; the case of its letters does not matter.
    let written: String
    /// What it would have to be.
    let meant: String
    /// How the hint names it.
    let shown: String

    /// `" Did you mean X?"` with the likeliest of these; nothing when what was written is like none of them.
    static func hint(among guesses: [Guess]) -> String {
        let distances = guesses.map {
            ($0, distance: $0.written.lowercased().edits(to: $0.meant.lowercased()))
        }
        let likely = distances.filter { $0.distance <= max(1, $0.0.meant.count / 3) }
        return likely.min { $0.distance < $1.distance }.map { " Did you mean \($0.0.shown)?" } ?? ""
    }
}

extension String {
    /// How many letters have to be put in, taken out or changed to make the other one of this.
    ///
    /// Complexity: the product of both lengths, of which the first 64 letters count.
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
