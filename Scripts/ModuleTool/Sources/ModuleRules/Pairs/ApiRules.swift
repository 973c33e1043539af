import Foundation
import ModuleTree

extension Rule {
    static let apiAlone = Rule("api-alone", in: .pairs, over: \.apis) { api, report in
        let fix = "and move the code that needs it to \(api.pairName)"
        for dependency in api.manifest.dependencies {
            report(
                dependency.position.in(api.manifestPath), "\(api.name) depends on \(dependency.identity)",
                fix: "remove the dependency \(fix)")
        }
        // SwiftPM reads a manifest for one platform, but `#if` may add dependencies on another.
        if let data = report.tree.contents(of: api.manifestPath), data.firstRange(of: Data("#if".utf8)) != nil
        {
            let source = try ManifestSource(Array(data), in: report.tree.root)
            let known = api.manifest.dependencies.map(\.position)
            for position in source.packages where !known.contains(position) {
                report(
                    position.in(api.manifestPath), "\(api.name) depends on a package under #if",
                    fix: "remove the dependency \(fix)")
            }
        }
        for target in api.mainTargets {
            for (file, imported) in target.imports
            where imported.module != "Foundation" && imported.module != target.name {
                report(
                    file.place(imported.position), "\(api.name) imports \(imported.module)",
                    fix: "remove the import \(fix)")
            }
        }
    }

    static let apiContent = Rule("api-content", in: .pairs, over: \.apis) { api, report in
        for target in api.mainTargets where target.kind != .regular || target.files.isEmpty {
            report(
                target.declaration.position.in(api.manifestPath),
                "the target \(target.name) of an Api package is not a Swift library",
                fix: "move the target to the IMP package")
        }
        let declarations = api.declarations.filter { $1.parent == nil && $1.keyword != "extension" }.map(\.1)
        let types = Set(
            declarations.filter { ["struct", "enum", "protocol", "class", "actor"].contains($0.keyword) }.map(
                \.name)
                + api.mainTargets.map(\.name))
        func outermost(_ type: String) -> String { String(type.prefix { $0 != "." && $0 != "<" }) }
        // A type alias is the Api's own if its type is.
        let own = types.union(
            declarations.filter { $0.literal.map { types.contains(outermost($0)) } ?? false }.map(\.name))
        let known = Set(api.sources.flatMap(\.facts.ownNames))
        for file in api.sources {
            for forbidden in file.facts.forbidden
            where forbidden.names.isEmpty || !forbidden.names.isSubset(of: known) {
                // An extension of another module's type is reported itself.
                if !forbidden.names.isEmpty, let type = forbidden.extended, !own.contains(outermost(type)) {
                    continue
                }
                report(file.place(forbidden.position), forbidden.what, fix: forbidden.fix)
            }
        }
        for (file, declaration) in api.declarations
        where declaration.keyword == "extension" && !own.contains(outermost(declaration.name)) {
            report(
                file.place(declaration.position),
                "an Api package extends \(declaration.name), a type of another module",
                fix: "move the extension to the IMP package, or declare a type of your own")
        }
    }

    static let apiSignature = Rule("api-signature", in: .pairs, over: \.apis) { api, report in
        let files = report.tree.contents(of: api.sources.map(\.path))
        let content = files.sorted { $0.key < $1.key }.reduce(into: Array(api.name.utf8)) {
            $0 += "\0\($1.value.count)\0".utf8
            $0 += $1.value
        }
        let unreached: [String] = try report.tree.cache.shared("unreached", content) {
            try ApiSurface(module: api.name, files).unreached(from: api.name + "Protocol")
        }
        for (file, declaration) in api.declarations
        where declaration.parent == nil && declaration.keyword != "extension"
            && unreached.contains(declaration.name)
        {
            report(
                file.place(declaration.position),
                "no protocol of \(api.name) has \(declaration.name) in a signature",
                fix:
                    "move \(declaration.name) to a plain package, on which \(api.pairName) and the app depend"
            )
        }
    }

    static let fakesInTests = Rule(
        "fakes-in-tests", in: .pairs, counting: { $0.packages.flatMap(\.fakes).count }
    ) { report in
        let fakes = Set(report.context.packages.flatMap(\.fakes).map(\.name))
        for package in report.context.packages {
            for target in package.mainTargets where !fakes.contains(target.name) {
                for (name, place) in target.uses(in: package) where fakes.contains(name) {
                    report(
                        place, "\(target.name) uses \(name), and is not a test",
                        fix:
                            "depend on \(name.dropLast(LocalPackage.fakesSuffix.count)) instead, and get the "
                            + "implementation from ApiCenter")
                }
            }
        }
    }
}

extension LocalTarget {
    /// The names that the target's manifest declares and its files import, each with its place.
    func uses(in package: LocalPackage) -> [(name: String, place: SourcePlace)] {
        dependencies.map { dependency in
            (dependency.name, place(of: dependency, in: package))
        } + imports.map { file, imported in (imported.module, file.place(imported.position)) }
    }
}

extension LocalPackage {
    /// The declarations in the files of the main targets.
    var declarations: [(SourceFile, SourceFacts.Declaration)] {
        sources.flatMap { file in file.facts.declarations.map { (file, $0) } }
    }
}
