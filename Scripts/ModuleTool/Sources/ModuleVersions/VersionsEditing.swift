/// Edits of the tables and the change notes. An edit leaves all unrelated lines as they are.
extension VersionsFile {
    /// Adds the row of a pair or an alternative IMP and, if the row has its own Api, a section with a first
    /// note.
    ///
    /// The row and the section are inserted in alphabetical order. Does nothing if the module already has a
    /// row.
    package mutating func add(_ row: Row, note: String) {
        guard self.row(of: row.module) == nil else { return }
        rows.insert(row, at: rows.firstIndex { $0.module > row.module } ?? rows.count)
        guard let version = row.api.version, section(of: row.module) == nil else { return }
        let section = Section(
            module: row.module, line: 0, lines: ["## \(row.module)", ""],
            notes: [Self.note(version, bullets: [note])])
        let index = sections.firstIndex { $0.module > row.module } ?? sections.count
        if index == sections.count { endWithEmptyLine() }
        sections.insert(section, at: index)
        if index == sections.count - 1 { endWithoutEmptyLine() }
    }

    /// Removes a module's row and section.
    package mutating func remove(_ module: String) {
        rows.removeAll { $0.module == module }
        let isLast = sections.last?.module == module
        sections.removeAll { $0.module == module }
        if isLast { endWithoutEmptyLine() }
    }

    /// Replaces the row of the same module.
    package mutating func replace(_ row: Row) {
        for index in rows.indices where rows[index].module == row.module { rows[index] = row }
    }

    /// Inserts a note above a module's other notes. Adds a section for the module if necessary.
    ///
    /// - Parameter bullets: The changes, which become a Markdown list wrapped at 110 characters.
    package mutating func note(_ version: SemanticVersion, of module: String, bullets: [String]) {
        if section(of: module) == nil {
            let index = sections.firstIndex { $0.module > module } ?? sections.count
            if index == sections.count { endWithEmptyLine() }
            sections.insert(
                Section(module: module, line: 0, lines: ["## \(module)", ""], notes: []), at: index)
        }
        for index in sections.indices where sections[index].module == module {
            if sections[index].notes.isEmpty, sections[index].lines.last != "" {
                sections[index].lines.append("")
            }
            sections[index].notes.insert(Self.note(version, bullets: bullets), at: 0)
        }
        endWithoutEmptyLine()
    }

    private static func note(_ version: SemanticVersion, bullets: [String]) -> Note {
        Note(
            version: version, line: 0, lines: ["### \(version)", ""] + bullets.flatMap { wrapped($0) } + [""])
    }

    /// Wraps a list item at 110 characters. A word that Markdown would read as the start of a heading, list
    /// or code block stays on the previous line, even if that line becomes longer.
    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = "-"
        for word in text.split(whereSeparator: \.isWhitespace) {
            let startsBlock =
                word.allSatisfy { "#-+*>=|~`".contains($0) }
                || word.last == "." && Int(word.dropLast()) != nil
            if line.count + 1 + word.count > 110, line != "-", !startsBlock {
                lines.append(line)
                line = " "
            }
            line += " " + word
        }
        return lines + [line]
    }

    private mutating func endWithEmptyLine() {
        editLastLines { if $0.last != "" { $0.append("") } }
    }

    private mutating func endWithoutEmptyLine() {
        editLastLines { while $0.last == "" { $0.removeLast() } }
    }

    private mutating func editLastLines(_ edit: (inout [String]) -> Void) {
        guard let last = sections.indices.last else {
            // Without sections, the file ends with the text after the last table.
            return librariesLine == 0 ? edit(&interlude) : edit(&epilogue)
        }
        if let note = sections[last].notes.indices.last {
            edit(&sections[last].notes[note].lines)
        } else {
            edit(&sections[last].lines)
        }
    }
}
