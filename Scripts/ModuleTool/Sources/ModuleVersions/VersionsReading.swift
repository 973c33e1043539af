/// Parses VERSIONS.md line by line.
extension VersionsFile {
    /// The result of parsing a file that may contain errors.
    package struct Reading: Sendable {
        /// The parsed part of the file. If there are ``problems``, printing this file would lose lines.
        package let file: VersionsFile
        /// The errors, in line order.
        package let problems: [VersionsProblem]
    }

    /// Parses a file for editing. The rows may still break the release rule; see ``inconsistencies``.
    ///
    /// - Throws: ``VersionsFileError`` if a line cannot be parsed.
    package init(_ text: String) throws(VersionsFileError) {
        let reading = Self.read(text)
        guard reading.problems.isEmpty else { throw VersionsFileError(problems: reading.problems) }
        self = reading.file
    }

    /// Parses as much of a file as possible.
    ///
    /// - Complexity: Linear in the text.
    package static func read(_ text: String) -> Reading {
        var reader = Reader()
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        // The newline at the end of the text does not start another line.
        if lines.last == "" { lines.removeLast() }
        for (index, line) in lines.enumerated() { reader.take(line, number: index + 1) }
        return reader.finished(lineCount: lines.count)
    }

    private struct Reader {
        private enum Place { case preamble, table, interlude, libraries, epilogue, notes }

        private var file = VersionsFile()
        private var problems: [VersionsProblem] = []
        private var place = Place.preamble
        /// The fence that opened the current code block; nil outside of code blocks.
        private var fence: String?
        private var hasReturns = false
        /// The line numbers of rows, libraries and sections, by name.
        private var (rows, libraries, sections) = ([String: Int](), [String: Int](), [String: Int]())

        private static let conflictMarks = ["<<<<<<<", "|||||||", ">>>>>>>"]

        mutating func take(_ text: String, number: Int) {
            let endsWithReturn = text.utf8.last == UInt8(ascii: "\r")
            // Reported only once, because one command fixes all lines.
            if endsWithReturn, !hasReturns {
                hasReturns = true
                report(
                    .damagedText, number, "the line ends with a carriage return.",
                    why: "The lines of this file end with a newline only.",
                    fix: "Run: sed -i 's/\\r$//' VERSIONS.md")
            }
            let line = endsWithReturn ? String(text.dropLast()) : text
            for mark in Self.conflictMarks where line.hasPrefix(mark) {
                report(
                    .damagedText, number, "the line is a merge conflict marker.",
                    why: "The file contains both sides of the conflict.", fix: "Resolve the conflict.")
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
                    .malformedRow, number, "the row does not have the four cells Module, Api, IMP and Floor.",
                    why: "Each row describes one pair.", fix: "Write: | Name | 1.0.0 | 1.0.0 | >= 1.0.0 |")
            }
            let module = cells[0]
            let api = SemanticVersion(cells[1]).map(Api.own) ?? VersionsFile.name(cells[1]).map(Api.of)
            if api == nil { invalid(cells[1], "Api", module, number) }
            let imp = SemanticVersion(cells[2])
            if imp == nil { invalid(cells[2], "IMP", module, number) }
            guard cells[3].hasPrefix(">= ") else {
                return report(
                    .closedFloor, number, "the floor of \(module) is '\(cells[3])', without '>='.",
                    module: module,
                    why: "An Api requires its IMP with >=, so that an app can choose any later version.",
                    fix: "Write: >= \(imp?.description ?? "1.0.0")")
            }
            let floor = SemanticVersion(String(cells[3].dropFirst(3)))
            if floor == nil { invalid(cells[3], "floor", module, number) }
            guard let api, let imp, let floor else { return }
            if let twin = rows[module] {
                return duplicate("\(module) already has a row, in line \(twin).", module, number)
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
                    .malformedRow, number, "the row does not have the two cells Library and Version.",
                    why: "Each row describes one package that does not belong to a pair.",
                    fix: "Write: | Name | 1.0.0 |, below | Library | Version | and |---|---|")
            }
            guard let version = SemanticVersion(cells[1]) else {
                return invalid(cells[1], "version", cells[0], number)
            }
            if let twin = libraries[cells[0]] {
                return duplicate("\(cells[0]) already has a row, in line \(twin).", cells[0], number)
            }
            libraries[cells[0]] = number
            file.unread.remove(cells[0])
            file.libraries.append(Library(name: cells[0], version: version, line: number))
        }

        private mutating func takeSection(_ line: String, number: Int) {
            place = .notes
            let module = String(line.dropFirst(3).trimmingPrefix(while: { $0 == " " }))
            if let twin = sections[module] {
                duplicate("\(module) already has a section, in line \(twin).", module, number)
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
                duplicate("\(module) \(version) already has a note, in line \(twin.line).", module, number)
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
                    why: "The table records the released versions.", fix: "Write: \(VersionsFile.head)")
            }
            return Reading(file: file, problems: problems)
        }

        private mutating func malformedTable(_ line: Int) {
            report(
                .malformedTable, line,
                "the table does not begin with the columns Module, Api, IMP and Floor.",
                why: "The release rule compares these columns.", fix: "Write: \(VersionsFile.head)")
        }

        private mutating func invalid(_ text: String, _ cell: String, _ module: String, _ line: Int) {
            report(
                .invalidVersion, line, "the \(cell) of \(module) is '\(text)', which is not a version.",
                module: module, why: "Versions follow Semantic Versioning 2.0.0.",
                fix: "Write three numbers, such as 1.0.0.")
        }

        private mutating func duplicate(_ what: String, _ module: String, _ line: Int) {
            report(
                .duplicate, line, what, module: module, why: "Only one of the two entries can be valid.",
                fix: "Keep the higher version and delete the other.")
        }

        private mutating func report(
            _ kind: VersionsProblem.Kind, _ line: Int, _ what: String, module: String? = nil, why: String,
            fix: String
        ) {
            problems.append(
                VersionsProblem(kind: kind, line: line, module: module, what: what, why: why, fix: fix))
        }
    }

    private static let head = "| Module | Api | IMP | Floor |, and below it |---|---|---|---|"

    /// The trimmed cells of a table row, or nil if the line is not a table row.
    private static func cells(of line: String) -> [String]? {
        let (bar, space) = (UInt8(ascii: "|"), UInt8(ascii: " "))
        func withoutEnd(_ text: Substring.UTF8View) -> Substring.UTF8View {
            var text = text
            while text.last == space { text.removeLast() }
            return text
        }
        // Ignores trailing spaces only: a table row starts in the first column.
        let line = withoutEnd(line[...].utf8)
        guard line.count >= 2, line.first == bar, line.last == bar else { return nil }
        return line.dropFirst().dropLast().split(separator: bar, omittingEmptySubsequences: false).map {
            String(Substring(withoutEnd($0.drop { $0 == space })))
        }
    }

    /// The text if it is a valid module name, otherwise nil.
    private static func name(_ text: String) -> String? {
        let isName = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isName && text.first?.isLetter == true ? text : nil
    }
}
