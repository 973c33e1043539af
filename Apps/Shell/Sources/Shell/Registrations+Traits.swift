extension Registrations {
    /// What `--traits` takes for a build that has a module beside the usual ones. An alternative, which has the name
    /// of the pair whose place it takes at the beginning of its own, cannot be beside that pair, and so is alone.
    static func traits(with module: String) -> String {
        let isAlternative = names.contains { $0 != module && module.hasPrefix($0) }
        return isAlternative ? module : "default,\(module)"
    }
}
