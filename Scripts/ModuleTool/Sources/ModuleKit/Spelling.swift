package enum Spelling {
    /// A number and what it counts: `1 test`, `2 tests`.
    package static func count(_ number: Int, _ name: String) -> String {
        "\(number) \(name)\(number == 1 ? "" : "s")"
    }

    /// The name that is most similar to a word, ignoring case; nil if no name is similar.
    package static func suggestion(for word: String, among names: [String]) -> String? {
        // The types are written out: without them, the compiler takes six seconds for these lines.
        let edits: [(name: String, count: Int)] = names.map { name in
            (name, name.lowercased().difference(from: word.lowercased()).count)
        }
        let nearest = edits.min { $0.count < $1.count }
        return nearest.flatMap { $0.count <= 1 + word.count / 3 ? $0.name : nil }
    }

    /// The fix for an unknown name: the most similar name, or else a list of all names. Only a tree without pairs has
    /// no names to choose from.
    package static func choice(for word: String, among names: [String]) -> String {
        suggestion(for: word, among: names).map { "Choose \($0)." }
            ?? (names.isEmpty
                ? "Add a pair first: Scripts/modules new-module NAME"
                : "Choose one of: \(names.joined(separator: ", ")).")
    }
}
