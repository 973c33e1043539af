package enum Formatting {
    /// Formats the edited files whose old contents are formatted. All other files keep their layout.
    ///
    /// - Parameter files: The old and the new contents of Swift files, by path.
    package static func kept(
        _ files: [String: (old: String, new: String)], like root: HouseRoot
    ) throws -> [String: String] {
        guard !files.isEmpty else { return [:] }
        let formatted = try ModuleTemplates.formatted(
            files.reduce(into: [:]) { all, file in
                all["old/" + file.key] = file.value.old
                all["new/" + file.key] = file.value.new
            }, like: root)
        return files.reduce(into: [:]) { result, file in
            let isFormatted = formatted["old/" + file.key] == file.value.old
            result[file.key] = isFormatted ? formatted["new/" + file.key] : file.value.new
        }
    }
}
