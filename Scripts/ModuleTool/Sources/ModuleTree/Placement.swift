/// What a package is, by where it lies.
enum Placement {
    /// The layer is the folder under `Packages`, Api packages aside, which are a layer of their own.
    static func layer(_ path: String) -> Layer? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        if path.isEmpty || parts.first == "Apps" { return .apps }
        guard parts.count >= 3, parts[0] == "Packages", let folder = Layer(rawValue: parts[1]) else {
            return nil
        }
        switch folder {
        case .common, .business: return path.hasSuffix("Api") ? .api : folder
        case .core, .base, .adapters: return folder
        case .api, .apps: return nil
        }
    }

    /// A Business package is an IMP whether or not it has an Api: that it has none is for a rule to say. In
    /// Common, an IMP is told from a plain package by the Api beside it, or, an alternative, by what it needs
    /// in order to register in another's place.
    static func role(_ path: String, among paths: Set<String>, manifest: Manifest) -> PackageRole {
        switch layer(path) {
        case .apps: return .app
        case .api: return .api
        case .business: return .imp
        case .common where paths.contains(path + "Api") || registers(manifest): return .imp
        case .common: return path.hasSuffix("Actions") ? .facade : .plain
        case .core, .base, .adapters: return .plain
        case nil: return .other
        }
    }

    /// A module type conforms to Lifecycle's protocol and registers an Api's.
    private static func registers(_ manifest: Manifest) -> Bool {
        let local = manifest.dependencies.filter { $0.path != nil }.map(\.identity)
        return local.contains("lifecycle") && local.contains { $0.hasSuffix("api") }
    }
}
