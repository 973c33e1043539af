import ModuleTree

/// Parses VERSIONS.md line by line.
struct VersionsReader {
    private enum Table { case pairs, libraries }

    private(set) var rows: [VersionsFile.Row] = []
    private(set) var libraries: [VersionsFile.Library] = []
    private(set) var unread: Set<String> = []
    private(set) var problems: [Diagnostic] = []
    private(set) var endOfPairs = 0

    /// The table that contains the previous line, and the line number of its header.
    private var table: (kind: Table, head: Int)?
    private var hasReturns = false

    private static let columns = ["Module", "Api", "IMP", "Floor"]
    private static let libraryColumns = ["Library", "Version"]
    private static let conflictMarks = ["<<<<<<<", "|||||||", ">>>>>>>"]

    mutating func read(_ text: Substring, number: Int) {
        let endsWithReturn = text.utf8.last == UInt8(ascii: "\r")
        // Reported only once, because one command fixes all lines.
        if endsWithReturn, !hasReturns {
            hasReturns = true
            report(
                number, "the line ends with a carriage return.",
                why: "In this file, lines end with a newline only.",
                fix: "Run: sed -i 's/\\r$//' VERSIONS.md")
        }
        if Self.conflictMarks.contains(where: text.hasPrefix) {
            return report(
                number, "the line is a merge conflict marker.",
                why: "The file contains both sides of the conflict.", fix: "Resolve the conflict.")
        }
        let line = endsWithReturn ? text.dropLast() : text
        guard line.hasPrefix("|") else { return table = nil }
        let cells = Self.cells(of: line)
        switch table {
        case nil where cells == Self.libraryColumns && endOfPairs > 0: table = (.libraries, number)
        case nil:
            // Treats the first table as the table of pairs, whatever its columns are.
            guard endOfPairs == 0 else { return }
            (table, endOfPairs) = ((.pairs, number), number)
            if cells != Self.columns { malformedTable(number) }
        case (.pairs, let head)?:
            endOfPairs = number
            if number > head + 1 { return readRow(cells, number) }
            if !Self.isRule(cells, Self.columns.count) { malformedTable(number) }
        case (.libraries, let head)?:
            if number > head + 1 { return readLibrary(cells, number) }
            if !Self.isRule(cells, Self.libraryColumns.count) { malformedLibrary(cells?.first, number) }
        }
    }

    /// Reports a missing table. Called after the last line.
    mutating func finish() {
        if endOfPairs == 0 {
            report(
                1, "the table of versions is missing.",
                why: "The table records the released versions.", fix: "Write: \(Self.head)")
        }
    }

    private mutating func readRow(_ all: [String]?, _ number: Int) {
        if let name = all?.first { unread.insert(name) }
        guard let cells = all, cells.count == 4, !cells[0].isEmpty else {
            return report(
                number, "the row does not have the four cells Module, Api, IMP and Floor.",
                why: "Each row describes one pair.", fix: "Write: | Name | 1.0.0 | 1.0.0 | >= 1.0.0 |")
        }
        let module = cells[0]
        let api =
            SemanticVersion(cells[1]).map(VersionsFile.Api.own)
            ?? (cells[1].wholeMatch(of: /[\p{L}][\p{L}\p{N}_]*/) == nil ? nil : .of(cells[1]))
        if api == nil { invalid(cells[1], "Api", module, number) }
        let imp = SemanticVersion(cells[2])
        if imp == nil { invalid(cells[2], "IMP", module, number) }
        guard cells[3].hasPrefix(">= ") else {
            return report(
                number, "the floor of \(module) is '\(cells[3])', without '>='.",
                why: "An Api requires its IMP with >=, so that an app can choose any later version.",
                fix: "Write: >= \(imp?.description ?? "1.0.0")")
        }
        let floor = SemanticVersion(String(cells[3].dropFirst(3)))
        if floor == nil { invalid(cells[3], "floor", module, number) }
        guard let api, let imp, let floor else { return }
        unread.remove(module)
        guard isNew(module, after: rows.last?.module, rows.first { $0.module == module }?.line, number) else {
            return
        }
        rows.append(.init(module: module, api: api, imp: imp, floor: floor, line: number))
    }

    private mutating func readLibrary(_ cells: [String]?, _ number: Int) {
        guard let cells, cells.count == 2, !cells[0].isEmpty else {
            return malformedLibrary(cells?.first, number)
        }
        let name = cells[0]
        guard let version = SemanticVersion(cells[1]) else {
            unread.insert(name)
            return invalid(cells[1], "version", name, number)
        }
        guard isNew(name, after: libraries.last?.name, libraries.first { $0.name == name }?.line, number)
        else { return }
        libraries.append(.init(name: name, version: version, line: number))
    }

    /// Whether a row is the first with its name. Reports a repeated name, and a row that is not in alphabetical
    /// order.
    private mutating func isNew(_ name: String, after last: String?, _ twin: Int?, _ line: Int) -> Bool {
        if let twin {
            report(
                line, "\(name) already has a row on line \(twin).",
                why: "Only one of the two entries can be valid.",
                fix: "Keep the higher version and delete the other.")
        } else if let last, last > name {
            report(
                line, "the row of \(name) is below the row of \(last).",
                why: "Alphabetical order avoids merge conflicts and keeps rows from being overlooked.",
                fix: "Move the row of \(name) up.", isOrder: true)
        }
        return twin == nil
    }

    // MARK: Problems

    private static let head = "| Module | Api | IMP | Floor |, and below it |---|---|---|---|"

    private mutating func malformedTable(_ line: Int) {
        report(
            line, "the table does not begin with the columns Module, Api, IMP and Floor.",
            why: "The release rule compares these columns.", fix: "Write: \(Self.head)")
    }

    private mutating func malformedLibrary(_ name: String?, _ line: Int) {
        if let name { unread.insert(name) }
        report(
            line, "the row does not have the two cells Library and Version.",
            why: "Each row describes one package that does not belong to a pair.",
            fix: "Write: | Name | 1.0.0 |, below | Library | Version | and |---|---|")
    }

    private mutating func invalid(_ text: String, _ cell: String, _ module: String, _ line: Int) {
        report(
            line, "the \(cell) of \(module) is '\(text)', which is not a version.",
            why: "Versions follow Semantic Versioning 2.0.0.", fix: "Write three numbers, such as 1.0.0.")
    }

    private mutating func report(
        _ line: Int, _ what: String, why: String, fix: String, isOrder: Bool = false
    ) {
        problems.append(
            Diagnostic(
                .configuration, at: VersionsFile.place(max(line, 1)), what, why: why, fix: fix,
                repair: isOrder ? .sort : nil))
    }

    // MARK: Cells

    /// Whether the cells form the delimiter line between a table's header and its rows.
    private static func isRule(_ cells: [String]?, _ count: Int) -> Bool {
        cells?.count == count && cells?.allSatisfy { $0.allSatisfy { $0 == "-" } && !$0.isEmpty } == true
    }

    /// The trimmed cells of a table row; nil if the line does not end with a bar.
    private static func cells(of line: Substring) -> [String]? {
        let parts = line.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map {
            var cell = $0
            while cell.first == UInt8(ascii: " ") { cell.removeFirst() }
            while cell.last == UInt8(ascii: " ") { cell.removeLast() }
            return String(Substring(cell))
        }
        return parts.count > 2 && parts.last == "" ? Array(parts.dropFirst().dropLast()) : nil
    }
}
