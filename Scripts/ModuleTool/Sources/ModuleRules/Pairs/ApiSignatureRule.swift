import Foundation
import ModuleTree

/// A public type of an Api stands in a signature of the Api's protocols.
struct ApiSignatureRule: Rule {
    let id = "api-signature"
    let group = RuleGroup.pairs
    let subject = RuleSubject.apis
    let why =
        "callers see everything in an Api, and need only its protocols and the types in their signatures"
    let source: String? = "1-ApiCenter, 说明 1"
    let explanation = """
        Every public type of an Api package must be named in a signature of one of the Api's protocols, \
        directly or by another such type. Errors, and enums and structs that only hold the names of routes and \
        notifications, need no signature. What an app or an adapter hands to a module, such as settings or a \
        store, is not for callers.

        Breaks it:  public struct RideSettings { public let store: any RideStore } in RideApi
        Fix it:     move the type to a plain package of a lower layer, on which the module and the app depend.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let tree = context.tree
        return try tree.packages.filter { $0.role == .api }.flatMap { package -> [Finding] in
            var files: [String: Data] = [:]
            for file in package.sources {
                files[file.path] = FileManager.default.contents(atPath: tree.root + "/" + file.path)
            }
            let content = files.sorted { $0.key < $1.key }.reduce(into: Array(package.name.utf8)) {
                $0 += "\0\($1.value.count)\0".utf8
                $0 += $1.value
            }
            let unreached: [String] = try tree.cache.shared("unreached", content) {
                try ApiSurface(module: package.name, files).unreached(from: package.name + "Protocol")
            }
            return package.sources.flatMap { file in
                file.facts.declarations.filter {
                    $0.parent == nil && $0.keyword != "extension" && unreached.contains($0.name)
                }.map {
                    finding(
                        file.place($0.position),
                        "no protocol of \(package.name) has \($0.name) in a signature",
                        fix:
                            "move \($0.name) to a plain package, on which \(package.pairName) and the app depend"
                    )
                }
            }
        }
    }
}
