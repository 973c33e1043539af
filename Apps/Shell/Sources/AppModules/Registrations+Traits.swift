extension Registrations {
    /// Returns the value of `--traits` for a build that contains `module`: the default modules and `module`.
    /// For an alternative, the value is `module` alone, because the default modules include the pair that the
    /// alternative replaces.
    public static func traits(with module: String) -> String {
        alternatives.contains(module) ? module : "default,\(module)"
    }
}
