/// What is left of a Swift file when everything is left out that no fact can stand in: comments, and blocks
/// without any word that a fact begins with. Most of a file is such, and need not be parsed.
///
/// The syntax tree of what is left gives the facts that the whole file's gives, at the same places.
struct SourceSkeleton {
    /// What is left, to be parsed.
    let bytes: [UInt8]

    /// Turns offsets in what is left into lines and columns of the file.
    let lines: LineTable

    /// - Returns: nil when it cannot be told without a parser what is code and what is text, as where a slash
    ///   may begin a regular expression. The file is parsed whole then.
    init?(of file: [UInt8], scope: SourceScanner.Scope) {
        guard let cuts = SkeletonLexer.cuts(of: file, scope: scope) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.count)
        var gaps: [LineTable.Gap] = []
        var (next, removed) = (0, 0)
        for cut in cuts where !cut.isEmpty {
            bytes += file[next..<cut.lowerBound]
            removed += cut.count
            gaps.append(.init(offset: bytes.count, removed: removed))
            next = cut.upperBound
        }
        bytes += file[next...]
        self.bytes = bytes
        lines = LineTable(file, gaps: gaps)
    }
}
