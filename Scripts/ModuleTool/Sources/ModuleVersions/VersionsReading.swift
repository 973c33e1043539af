/// Reads VERSIONS.md line by line.
extension VersionsFile {
    /// What was read, and what could not be.
    package struct Reading: Sendable {
        /// The rows and notes that could be read. Not to be printed when there are ``problems``.
        package let file: VersionsFile
        /// What could not be read, in the order of the lines.
        package let problems: [VersionsProblem]
    }

    /// Reads a file to be edited.
    ///
    /// - Throws: When a line could not be read. What the rows say may still be inconsistent
    ///   (``inconsistencies``).
    package init(_ text: String) throws(VersionsFileError) {
        let reading = Self.read(text)
        guard reading.problems.isEmpty else { throw VersionsFileError(problems: reading.problems) }
        self = reading.file
    }

    /// Reads as much of a file as can be read.
    ///
    /// - Complexity: Linear in the text.
    package static func read(_ text: String) -> Reading {
        var reader = Reader()
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        // What is after the last line's end is not a line.
        if lines.last == "" { lines.removeLast() }
        for (index, line) in lines.enumerated() { reader.take(line, number: index + 1) }
        return reader.finished(lineCount: lines.count)
    }

    private struct Reader {
        private enum Place { case preamble, table, interlude, libraries, epilogue, notes }

        private var file = VersionsFile()
        private var problems: [VersionsProblem] = []
        private var place = Place.preamble
        /// The fence that a block of code began with.
        private var fence: String?
        private var hasReturns = false
        /// The lines of the rows, of the libraries and of the sections, by name.
        private var (rows, libraries, sections) = ([String: Int](), [String: Int](), [String: Int]())

        private static let conflictMarks = ["<<<<<<<", "|||||||", ">>>>>>>"]

        mutating func take(_ text: String, number: Int) {
            let endsWithReturn = text.utf8.last == UInt8(ascii: "\r")
            // Said once, for one command mends all lines.
            if endsWithReturn, !hasReturns {
                hasReturns = true
                report(
                    .damagedText, number, "the line ends with a carriage return.",
                    why: "The file's lines end with a newline alone.",
                    mend: "Run: sed -i 's/\\r$//' VERSIONS.md")
            }
            let line = endsWithReturn ? String(text.dropLast()) : text
            for mark in Self.conflictMarks where line.hasPrefix(mark) {
                report(
                    .damagedText, number, "the line is a mark of a merge conflict.",
                    why: "Both sides' versions stand here.", mend: "Resolve the conflict.")
            }
            let trimmed = line.drop { $0 == " " }
            let isFence =
                fence.map { trimmed.hasPrefix($0) } ?? (trimmed.hasPrefix("```") || trimmed.hasPrefix("~~~"))
            if isFence { fence = fence == nil ? String(trimmed.prefix(3)) : nil }
            if fence != nil || isFence { return keep(line) }

            if place == .preamble, line.hasPrefix("|") {
                place = .table
                file.tableLine = number
                if VersionsFile.cells(of: line) != VersionsFile.columns { malformedTable(number) }
            } else if place == .table {
                takeAfterHead(line, number: number)
            } else if place == .interlude, VersionsFile.cells(of: line) == VersionsFile.libraryColumns {
                place = .libraries
                file.librariesLine = number
            } else if place == .libraries {
                takeLibrary(line, number: number)
            } else if line.hasPrefix("## ") {
                takeSection(line, number: number)
            } else if line.hasPrefix("### "), place == .notes {
                takeNote(line, number: number)
            } else {
                keep(line)
            }
        }

        private mutating func takeAfterHead(_ line: String, number: Int) {
            if number == file.tableLine + 1 {
                let cells = VersionsFile.cells(of: line)
                let isRule = cells?.allSatisfy { $0.hasPrefix("-") && $0.allSatisfy { $0 == "-" } } == true
                if !isRule || cells?.count != VersionsFile.columns.count { malformedTable(number) }
            } else if line.hasPrefix("|") {
                takeRow(line, number: number)
            } else {
                place = .interlude
                keep(line)
            }
        }

        private mutating func takeRow(_ line: String, number: Int) {
            let all = VersionsFile.cells(of: line)
            if let name = all?.first { file.unread.insert(name) }
            guard let cells = all, cells.count == 4, !cells[0].isEmpty else {
                return report(
                    .malformedRow, number, "the row has not the four cells Module, Api, IMP and Floor.",
                    why: "Each row is one pair.", mend: "Write: | Name | 1.0.0 | 1.0.0 | >= 1.0.0 |")
            }
            let module = cells[0]
            let api = SemanticVersion(cells[1]).map(Api.own) ?? VersionsFile.name(cells[1]).map(Api.of)
            if api == nil { invalid(cells[1], "Api", module, number) }
            let imp = SemanticVersion(cells[2])
            if imp == nil { invalid(cells[2], "IMP", module, number) }
            guard cells[3].hasPrefix(">= ") else {
                return report(
                    .closedFloor, number, "the floor of \(module) is '\(cells[3])'.", module: module,
                    why: "An Api requires its IMP with >=, so that an app can choose any later one.",
                    mend: "Write: >= \(imp?.description ?? "1.0.0")")
            }
            let floor = SemanticVersion(String(cells[3].dropFirst(3)))
            if floor == nil { invalid(cells[3], "floor", module, number) }
            guard let api, let imp, let floor else { return }
            if let twin = rows[module] {
                return duplicate("\(module) has a row already, in line \(twin).", module, number)
            }
            rows[module] = number
            file.unread.remove(module)
            file.rows.append(Row(module: module, api: api, imp: imp, floor: floor, line: number))
        }

        private mutating func takeLibrary(_ line: String, number: Int) {
            guard line.hasPrefix("|") else {
                place = .epilogue
                return take(line, number: number)
            }
            let cells = VersionsFile.cells(of: line)
            if number == file.librariesLine + 1, cells?.allSatisfy({ $0.allSatisfy { $0 == "-" } }) == true {
                return
            }
            if let name = cells?.first { file.unread.insert(name) }
            guard let cells, cells.count == 2, !cells[0].isEmpty, number > file.librariesLine + 1 else {
                return report(
                    .malformedRow, number, "the row has not the two cells Library and Version.",
                    why: "Each row is one package that is no half of a pair.",
                    mend: "Write: | Name | 1.0.0 |, below | Library | Version | and |---|---|")
            }
            guard let version = SemanticVersion(cells[1]) else {
                return invalid(cells[1], "version", cells[0], number)
            }
            if let twin = libraries[cells[0]] {
                return duplicate("\(cells[0]) has a row already, in line \(twin).", cells[0], number)
            }
            libraries[cells[0]] = number
            file.unread.remove(cells[0])
            file.libraries.append(Library(name: cells[0], version: version, line: number))
        }

        private mutating func takeSection(_ line: String, number: Int) {
            place = .notes
            let module = String(line.dropFirst(3).trimmingPrefix(while: { $0 == " " }))
            if let twin = sections[module] {
                duplicate("\(module) has a section already, in line \(twin).", module, number)
            } else {
                sections[module] = number
            }
            file.sections.append(Section(module: module, line: number, lines: [line], notes: []))
        }

        private mutating func takeNote(_ line: String, number: Int) {
            let last = file.sections.count - 1
            let module = file.sections[last].module
            let text = String(line.dropFirst(4).trimmingPrefix(while: { $0 == " " }))
            guard let version = SemanticVersion(text) else { return invalid(text, "heading", module, number) }
            if let twin = file.sections[last].notes.first(where: { $0.version == version }) {
                duplicate("\(module) \(version) has a note already, in line \(twin.line).", module, number)
            }
            file.sections[last].notes.append(Note(version: version, line: number, lines: [line]))
        }

        private mutating func keep(_ line: String) {
            switch place {
            case .preamble: file.preamble.append(line)
            case .table, .interlude:
                place = .interlude
                file.interlude.append(line)
            case .libraries, .epilogue:
                place = .epilogue
                file.epilogue.append(line)
            case .notes:
                let last = file.sections.count - 1
                if file.sections[last].notes.isEmpty {
                    file.sections[last].lines.append(line)
                } else {
                    file.sections[last].notes[file.sections[last].notes.count - 1].lines.append(line)
                }
            }
        }

        mutating func finished(lineCount: Int) -> Reading {
            if place == .preamble {
                report(
                    .malformedTable, max(lineCount, 1), "the table of versions is missing.",
                    why: "It is where the release rule is held.", mend: "Write: \(VersionsFile.head)")
            }
            return Reading(file: file, problems: problems)
        }

        private mutating func malformedTable(_ line: Int) {
            report(
                .malformedTable, line,
                "the table does not begin with the columns Module, Api, IMP and Floor.",
                why: "They are what the release rule is about.", mend: "Write: \(VersionsFile.head)")
        }

        private mutating func invalid(_ text: String, _ cell: String, _ module: String, _ line: Int) {
            report(
                .invalidVersion, line, "the \(cell) of \(module) is '\(text)', which is no version.",
                module: module, why: "Versions follow Semantic Versioning 2.0.0.",
                mend: "Write three numbers: 1.0.0")
        }

        private mutating func duplicate(_ what: String, _ module: String, _ line: Int) {
            report(
                .duplicate, line, what, module: module, why: "Which one counts could not be told.",
                mend: "Keep the higher version and delete the other.")
        }

        private mutating func report(
            _ kind: VersionsProblem.Kind, _ line: Int, _ what: String, module: String? = nil, why: String,
            mend: String
        ) {
            problems.append(
                VersionsProblem(kind: kind, line: line, module: module, what: what, why: why, mend: mend))
        }
    }

    private static let head = "| Module | Api | IMP | Floor |, and below it |---|---|---|---|"

    /// The trimmed cells of a line of a table, or nil when it is none.
    private static func cells(of line: String) -> [String]? {
        let (bar, space) = (UInt8(ascii: "|"), UInt8(ascii: " "))
        func withoutEnd(_ text: Substring.UTF8View) -> Substring.UTF8View {
            var text = text
            while text.last == space { text.removeLast() }
            return text
        }
        // Of the line itself only the end: a table begins where the line does.
        let line = withoutEnd(line[...].utf8)
        guard line.count >= 2, line.first == bar, line.last == bar else { return nil }
        return line.dropFirst().dropLast().split(separator: bar, omittingEmptySubsequences: false).map {
            String(Substring(withoutEnd($0.drop { $0 == space })))
        }
    }

    /// The text, when it could name a module.
    private static func name(_ text: String) -> String? {
        let isName = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isName && text.first?.isLetter == true ? text : nil
    }
}
