extension Registrations {
    /// What `--traits` takes for a build that has a module beside the usual ones. An alternative cannot be beside the
    /// pair whose place it takes, and so is alone.
    static func traits(with module: String) -> String {
        alternatives.contains(module) ? module : "default,\(module)"
    }
}
