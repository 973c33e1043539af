extension Registrations {
    /// Returns the value of `--traits` for a build with the default modules and `module`. An alternative
    /// replaces the pair whose Api it implements.
    public static func traits(with module: String) -> String {
        guard let replaced = alternatives[module] else { return "default,\(module)" }
        return names.filter { $0 == module || $0 != replaced && alternatives[$0] == nil }
            .joined(separator: ",")
    }
}
