import ModuleTree

/// Parses VERSIONS.md line by line.
struct VersionsReader {
    private(set) var rows: [VersionsFile.Row] = []
    private(set) var libraries: [VersionsFile.Library] = []
    private(set) var problems: [Diagnostic] = []
    private(set) var endOfPairs = 0

    /// The columns of the table that contains the previous line, and the line number of its header.
    private var table: (columns: [String], head: Int)?

    private static let pairs = ["Module", "Api", "IMP", "Floor"]
    private static let library = ["Library", "Version"]
    private static let conflictMarks = ["<<<<<<<", "|||||||", ">>>>>>>"]
    private static let carriageReturn = UInt8(ascii: "\r")

    mutating func read(_ lines: [Substring]) {
        for (index, line) in lines.enumerated() { read(line, number: index + 1) }
        // Reported only once, because one command fixes all lines.
        if let index = lines.firstIndex(where: { $0.utf8.last == Self.carriageReturn }) {
            report(
                index + 1, "the line ends with a carriage return.",
                why: "In this file, lines end with a newline only.",
                fix: "Run: sed -i 's/\\r$//' VERSIONS.md")
        }
        if endOfPairs == 0 {
            report(
                1, "the table of versions is missing.", why: "The table records the released versions.",
                fix: Self.form(of: Self.pairs))
        }
    }

    private mutating func read(_ text: Substring, number: Int) {
        if Self.conflictMarks.contains(where: text.hasPrefix) {
            return report(
                number, "the line is a merge conflict marker.",
                why: "The file contains both sides of the conflict.", fix: "Resolve the conflict.")
        }
        let line = text.utf8.last == Self.carriageReturn ? text.dropLast() : text
        guard line.hasPrefix("|") else { return table = nil }
        let cells = Self.cells(of: line)
        if table == nil {
            // The first table is the table of pairs, whatever its columns are.
            let columns = endOfPairs == 0 ? Self.pairs : Self.library
            if endOfPairs == 0 || cells == columns { table = (columns, number) }
        }
        guard let (columns, head) = table else { return }
        if columns == Self.pairs { endOfPairs = number }
        let isValid =
            switch number - head {
            case 0: cells == columns
            case 1: cells.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 == "-" } }
            default: cells.first != ""
            }
        guard isValid, cells.count == columns.count else {
            return report(
                number, "the line does not have the cells \(columns.joined(separator: ", ")).",
                why: "Each row states the released versions of one package.",
                fix: Self.form(of: columns))
        }
        guard number > head + 1 else { return }
        columns == Self.pairs ? readPair(cells, number) : readLibrary(cells, number)
    }

    private mutating func readPair(_ cells: [String], _ number: Int) {
        let module = cells[0]
        let isName =
            cells[1].first?.isLetter == true
            && cells[1].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        let api = isName ? .of(cells[1]) : version(cells[1], "Api", module, number).map(VersionsFile.Api.own)
        let imp = version(cells[2], "IMP", module, number)
        guard cells[3].hasPrefix(">= ") else {
            return report(
                number, "the floor of \(module) is '\(cells[3])', without '>='.",
                why: "An Api requires its IMP with >=, so that an app can choose any later version.",
                fix: "Write: >= \(imp?.description ?? "1.0.0")")
        }
        let floor = version(String(cells[3].dropFirst(3)), "floor", module, number)
        guard let api, let imp, let floor else { return }
        add(.init(module: module, api: api, imp: imp, floor: floor, line: number), to: \.rows)
    }

    private mutating func readLibrary(_ cells: [String], _ number: Int) {
        guard let version = version(cells[1], "version", cells[0], number) else { return }
        add(.init(name: cells[0], version: version, line: number), to: \.libraries)
    }

    /// Adds the first row with its name. Reports a repeated name, and a row that is not in alphabetical order.
    private mutating func add<Row: VersionRow>(
        _ row: Row, to rows: WritableKeyPath<VersionsReader, [Row]>
    ) {
        if let twin = self[keyPath: rows].first(where: { $0.name == row.name }) {
            return report(
                row.line, "\(row.name) already has a row on line \(twin.line).",
                why: "Only one of the two entries can be valid.",
                fix: "Keep the higher version and delete the other.")
        }
        if let last = self[keyPath: rows].last?.name, last > row.name {
            report(
                row.line, "the row of \(row.name) is below the row of \(last).",
                why: "Alphabetical order avoids merge conflicts and keeps rows from being overlooked.",
                fix: "Move the row of \(row.name) up.", repair: .sort)
        }
        self[keyPath: rows].append(row)
    }

    /// Reads a cell with a version, or reports the cell.
    private mutating func version(
        _ text: String, _ cell: String, _ name: String, _ line: Int
    ) -> SemanticVersion? {
        let version = SemanticVersion(text)
        if version == nil {
            report(
                line, "the \(cell) of \(name) is '\(text)', which is not a version.",
                why: "Versions follow Semantic Versioning 2.0.0.",
                fix: "Write three numbers, such as 1.0.0.")
        }
        return version
    }

    private mutating func report(
        _ line: Int, _ what: String, why: String, fix: String, repair: Diagnostic.Repair? = nil
    ) {
        let place = SourcePlace("\(VersionsFile.path):\(line)")
        problems.append(Diagnostic(.configuration, at: place, what, why: why, fix: fix, repair: repair))
    }

    /// The fix for a malformed table.
    private static func form(of columns: [String]) -> String {
        "Write: | \(columns.joined(separator: " | ")) |, below it |\(columns.map { _ in "---|" }.joined()), and rows "
            + (columns == pairs ? "such as | Name | 1.0.0 | 1.0.0 | >= 1.0.0 |" : "such as | Name | 1.0.0 |")
    }

    /// The trimmed cells of a table row; empty if the line does not end with a bar.
    private static func cells(of line: Substring) -> [String] {
        let parts = line.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map {
            var cell = $0
            while cell.first == UInt8(ascii: " ") { cell.removeFirst() }
            while cell.last == UInt8(ascii: " ") { cell.removeLast() }
            return String(Substring(cell))
        }
        return parts.last == "" ? Array(parts.dropFirst().dropLast()) : []
    }
}
