enum Placement {
    /// The layer of a package: the folder under `Packages`, except that all Api packages form a layer of
    /// their own.
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

    /// The role of a package.
    ///
    /// A Business package is an IMP even without an Api; the rule pair-halves reports the missing Api. A
    /// Common package is an IMP if it has an Api beside it, or if it has the dependencies that an alternative
    /// IMP needs.
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

    /// Whether a package depends on Lifecycle and on an Api. An alternative IMP needs both, because its
    /// module type conforms to a protocol of Lifecycle and registers the protocol of the Api.
    private static func registers(_ manifest: Manifest) -> Bool {
        let local = manifest.dependencies.filter { $0.path != nil }.map(\.identity)
        return local.contains("lifecycle") && local.contains { $0.hasSuffix("api") }
    }
}
