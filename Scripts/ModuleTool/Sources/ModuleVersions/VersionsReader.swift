import ModuleKit

/// Parses VERSIONS.md line by line, and compares each line of a table with the row that is expected there.
struct VersionsReader {
    private(set) var rows: [VersionsFile.Row] = []
    private(set) var libraries: [VersionsFile.Library] = []
    private(set) var problems: [Diagnostic] = []
    /// The names of the rows that cannot be read.
    private(set) var unread: Set<String> = []
    private(set) var endOfPairs = 0
    /// All rows with their cells, including those that can only be guessed.
    private var written: [(row: any VersionRow, cells: [String])] = []

    /// The columns of the table that contains the previous line, and the line number of its header.
    private var table: (columns: [String], head: Int)?

    private static let pairs = ["Module", "Api", "IMP", "Floor"]
    private static let library = ["Library", "Version"]
    private static let conflictMarks = ["<<<<<<<", "|||||||", ">>>>>>>"]

    mutating func read(_ lines: [Substring]) {
        for (index, line) in lines.enumerated() { read(line, number: index + 1) }
        if endOfPairs == 0 { expect(Self.text(Self.pairs), at: 1, for: "head") }
        let pairs = Set(written.map(\.row).filter { $0 is VersionsFile.Row }.map(\.name))
        for (row, cells) in written {
            let wanted = (row as? VersionsFile.Row).map { expected($0).text } ?? row.text
            if row is VersionsFile.Library, pairs.contains(row.name) {
                expect(nil, at: row.line, for: row.name)
            } else if cells != Self.cells(of: wanted[...]) {
                expect(wanted, at: row.line, for: row.name)
            }
        }
        expectOrder(of: rows)
        expectOrder(of: libraries)
    }

    /// The row of an IMP: its Api is at least as high as the IMP, and the Api of an alternative belongs to a pair.
    private func expected(_ row: VersionsFile.Row) -> VersionsFile.Row {
        var row = row
        let isOwned = row.api.owner.map { owner in
            unread.contains(owner) || rows.contains { $0.module == owner && $0.api.version != nil }
        }
        if isOwned == false { row.api = .own(row.imp) }
        if let version = row.api.version { row.api = .own(max(version, row.imp)) }
        return row
    }

    private mutating func read(_ text: Substring, number: Int) {
        if Self.conflictMarks.contains(where: text.hasPrefix) {
            return expect(nil, at: number, for: "merge conflict")
        }
        guard text.hasPrefix("|") else { return table = nil }
        let cells = Self.cells(of: text)
        if table == nil {
            // The first table is the table of pairs, whatever its columns are.
            let columns = endOfPairs == 0 ? Self.pairs : Self.library
            if endOfPairs == 0 || cells == columns { table = (columns, number) }
        }
        guard let (columns, head) = table else { return }
        if columns == Self.pairs { endOfPairs = number }
        switch number - head {
        case 0: if cells != columns { expect(Self.text(columns), at: number, for: "head") }
        case 1:
            let isLine = cells.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 == "-" } }
            if cells.count != columns.count || !isLine {
                expect("|" + columns.map { _ in "---|" }.joined(), at: number, for: "head")
            }
        default: columns == Self.pairs ? readPair(cells, number) : readLibrary(cells, number)
        }
    }

    private mutating func readPair(_ cells: [String], _ number: Int) {
        func cell(_ index: Int) -> String { index < cells.count ? cells[index] : "" }
        let isName =
            cell(1).first?.isLetter == true
            && cell(1).allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        let api = isName ? .of(cell(1)) : SemanticVersion(cell(1)).map(VersionsFile.Api.own)
        let imp = SemanticVersion(cell(2))
        let row = VersionsFile.Row(
            module: cell(0), api: api ?? .own(Self.guess(cell(1))), imp: imp ?? Self.guess(cell(2)),
            line: number)
        add(row, cells, to: \.rows, isReadable: api != nil && imp != nil && cells.count == Self.pairs.count)
    }

    private mutating func readLibrary(_ cells: [String], _ number: Int) {
        let text = cells.count > 1 ? cells[1] : ""
        let row = VersionsFile.Library(
            name: cells.first ?? "", version: SemanticVersion(text) ?? Self.guess(text), line: number)
        add(
            row, cells, to: \.libraries,
            isReadable: SemanticVersion(text) != nil && cells.count == Self.library.count)
    }

    /// Adds the first row with its name. A second row is a problem.
    private mutating func add<Row: VersionRow>(
        _ row: Row, _ cells: [String], to rows: WritableKeyPath<VersionsReader, [Row]>, isReadable: Bool
    ) {
        guard !row.name.isEmpty, !self[keyPath: rows].contains(where: { $0.name == row.name }) else {
            return expect(nil, at: row.line, for: row.name.isEmpty ? "this line" : row.name)
        }
        written.append((row, cells))
        if isReadable { self[keyPath: rows].append(row) } else { unread.insert(row.name) }
    }

    /// Reports the first place at which the alphabetical order has another row.
    private mutating func expectOrder<Row: VersionRow>(of rows: [Row]) {
        let sorted = rows.sorted { $0.name < $1.name }
        guard let (row, wanted) = zip(rows, sorted).first(where: { $0.name != $1.name }) else { return }
        expect(wanted.text, at: row.line, for: wanted.name, repair: .sort)
    }

    /// Reports a line that is not the expected row.
    ///
    /// - Parameters:
    ///   - row: The row; nil if none is expected.
    ///   - name: The package of the row.
    private mutating func expect(
        _ row: String?, at line: Int, for name: String, repair: Diagnostic.Repair? = nil
    ) {
        problems.append(
            Diagnostic(
                .configuration, at: SourcePlace(path: VersionsFile.path, line: line),
                row == nil
                    ? "no row is expected here for \(name)." : "the row of \(name) is not the expected one.",
                why:
                    "Rows are in alphabetical order, a floor is its IMP's version, and no Api is below its IMP.",
                fix: row.map { "Write in this line: \($0)" } ?? "Remove the line.", repair: repair))
    }

    /// A version that a text may mean: `1.2.0` for `v1.2`.
    private static func guess(_ text: String) -> SemanticVersion {
        let numbers = text.matches(of: /\d{1,9}/).compactMap { Int($0.output) }
        let all = numbers.isEmpty ? [1, 0, 0] : numbers + [0, 0]
        return SemanticVersion(all[0], all[1], all[2])
    }

    private static func text(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

    /// The trimmed cells of a table row; empty if the line does not end with a bar.
    private static func cells(of line: Substring) -> [String] {
        let blanks = [UInt8(ascii: " "), UInt8(ascii: "\r")]
        let parts = line.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map {
            var cell = $0
            while let first = cell.first, blanks.contains(first) { cell.removeFirst() }
            while let last = cell.last, blanks.contains(last) { cell.removeLast() }
            return String(Substring(cell))
        }
        return parts.last == "" ? Array(parts.dropFirst().dropLast()) : []
    }
}
