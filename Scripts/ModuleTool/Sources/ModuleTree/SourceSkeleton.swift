/// A Swift file without the parts that cannot contain facts: comments, and blocks without any word that can
/// begin a fact. Leaving these parts out avoids parsing most of a typical file.
///
/// The syntax trees of the skeleton and of the whole file give the same facts at the same positions.
struct SourceSkeleton {
    /// The shortened source.
    let bytes: [UInt8]

    /// Converts offsets in `bytes` into lines and columns of the original file.
    let lines: LineTable

    /// Returns nil if only a parser can tell code from text, for example where a slash may begin a regular
    /// expression. The caller then parses the whole file.
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
