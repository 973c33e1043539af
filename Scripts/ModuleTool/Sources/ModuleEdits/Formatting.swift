package enum Formatting {
    /// Formats the edited Swift files whose old contents are formatted. All other files keep their layout.
    ///
    /// - Parameter files: The new contents of files, by path.
    package static func kept(_ files: [String: String], like root: TreeRoot) throws -> [String: String] {
        var sources: [String: String] = [:]
        for (path, text) in files where path.hasSuffix(".swift") && root.exists(path) {
            let old = try root.text(path)
            if old != text { (sources["old/" + path], sources["new/" + path]) = (old, text) }
        }
        guard !sources.isEmpty else { return files }
        let formatted = try ModuleTemplates.formatted(sources, like: root)
        return files.reduce(into: files) { result, file in
            let old = "old/" + file.key
            if let new = formatted["new/" + file.key], formatted[old] == sources[old] {
                result[file.key] = new
            }
        }
    }
}
