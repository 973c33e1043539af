import Foundation
import ModuleFacts
import ModuleKit
import ModuleRules
import ModuleTree

extension Rule {
    static let apiAlone = Rule("api-alone", in: .pairs, over: \.apis) { api, report in
        let (tree, fix) = (report.tree, "and move the code that needs it to \(api.pairName)")
        var imports: [String: [SourcePlace]] = [:]
        for target in api.mainTargets {
            for (file, imported) in target.imports
            where !tree.apisMayImport(imported.module) && imported.module != target.name {
                imports[imported.module, default: []].append(file.place(imported.position))
            }
        }
        let libraries = tree.apiLibraries
        for dependency in api.manifest.dependencies {
            let package = tree.package(reachedBy: dependency, of: api)
            if let package, libraries.contains(where: { $0 === package }) { continue }
            let uses = api.targets.flatMap { $0.uses(of: dependency, in: api, tree) }
            imports = imports.mapValues { $0.filter { !uses.contains($0) } }
            report(
                dependency.position.in(api.manifestPath),
                "\(api.name) depends on \(tree.name(of: dependency, in: api))",
                fix: "Remove the dependency \(fix).",
                notes: uses.prefix(5).map { .init($0, "used here") },
                cause: [dependency.position.in(api.manifestPath)] + uses)
        }
        // SwiftPM reads a manifest for one platform, but `#if` may add dependencies on another.
        if let data = tree.contents(of: api.manifestPath), data.firstRange(of: Data("#if".utf8)) != nil {
            let source = try ManifestSource(Array(data), in: tree.root)
            let known = api.manifest.dependencies.map(\.position)
            for position in source.packages where !known.contains(position) {
                report(
                    position.in(api.manifestPath), "\(api.name) depends on a package under #if",
                    fix: "Remove the dependency \(fix).")
            }
        }
        for (module, places) in imports.sorted(by: { $0.key < $1.key }) where !places.isEmpty {
            report(
                places[0], "\(api.name) imports \(module)", fix: "Remove the import \(fix).",
                notes: places.dropFirst().prefix(5).map { .init($0, "also imported here") }, cause: places,
                home: api.manifestPath)
        }
    }

    static let apiContent = Rule("api-content", in: .pairs, over: \.apis) { api, report in
        for target in api.mainTargets where target.kind != .regular || target.files.isEmpty {
            report(
                target.declaration.position.in(api.manifestPath),
                "the target \(target.name) of an Api package is not a Swift library",
                fix: "Move the target to the IMP package.")
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
        let known = Set(api.sources.flatMap(\.facts.declaredNames)).union(
            report.tree.apiLibraries(of: api).flatMap {
                $0.types(["enum", "protocol", "struct", "typealias"])
            })
        for file in api.sources {
            for forbidden in file.facts.forbidden
            where forbidden.names.isEmpty || !forbidden.names.isSubset(of: known) {
                // An extension of another module's type is reported itself.
                if !forbidden.names.isEmpty, let type = forbidden.extended, !own.contains(outermost(type)) {
                    continue
                }
                let place = file.place(forbidden.position)
                report(place, forbidden.what, fix: forbidden.fix, cause: [place])
            }
        }
        for (file, declaration) in api.declarations
        where declaration.keyword == "extension" && !own.contains(outermost(declaration.name)) {
            report(
                file.place(declaration.position),
                "an Api package extends \(declaration.name), a type of another module",
                fix: "Move the extension to the IMP package, or declare a type of your own.")
        }
    }

    static let apiSignature = Rule("api-signature", in: .pairs, over: \.apis) { api, report in
        let protocols = report.tree.apiLibraries(of: api).flatMap { $0.types(["protocol"]) }
        let surface = ApiSurface(of: api.sources.map(\.facts))
        for name in surface.unreached(from: api.name + "Protocol", throughForeign: protocols) {
            for place in surface.places(of: name) {
                report(
                    place, "no protocol of \(api.name) has \(name) in a signature",
                    fix: "Move \(name) to a plain package, on which \(api.pairName) and the app depend.",
                    cause: [place])
            }
        }
    }

    static let apiReexports = Rule(
        "api-reexports", in: .pairs, over: { $0.tree.apiLibraries }
    ) { library, report in
        for target in library.mainTargets {
            for (file, imported) in target.imports where imported.isExported {
                report(
                    file.place(imported.position),
                    "\(library.name), which Apis may import, re-exports \(imported.module)",
                    fix: "Remove @_exported, and import \(imported.module) where it is used.")
            }
        }
    }

    static let fakesInTests = Rule(
        "fakes-in-tests", in: .pairs, counting: { $0.packages.flatMap(\.fakes).count }
    ) { report in
        let fakes = Set(report.context.packages.flatMap(\.fakes).map(\.name))
        let previews = Set(report.context.packages.flatMap(\.previews).map(\.name))
        for package in report.context.packages {
            report.mixedProducts(of: package)
            for target in package.mainTargets where !fakes.contains(target.name) {
                for (name, place) in target.uses(in: package) {
                    if fakes.contains(name) {
                        report(
                            place, "\(target.name) uses \(name), and is not a test",
                            fix:
                                "Depend on \(name.dropLast(LocalPackage.fakesSuffix.count)) instead, and get the "
                                + "implementation from ApiCenter.", cause: [place])
                    } else if previews.contains(name) {
                        report(
                            place, "\(target.name) uses \(name), which stands with the tests",
                            fix:
                                "Move the code that \(target.name) needs out of \(name), and remove the dependency.",
                            cause: [place])
                    }
                }
            }
        }
    }
}

extension RuleReport {
    /// Reports the products that contain a preview, except the product of the preview itself, whose name shows what it is.
    fileprivate mutating func mixedProducts(of package: LocalPackage) {
        for target in package.previews {
            for product in package.manifest.products
            where product.targets.contains(target.name)
                && product.targets + [product.name] != [target.name, target.name]
            {
                self(
                    target.declaration.position.in(package.manifestPath),
                    "the product \(product.name) contains \(target.name), which stands with the tests",
                    fix:
                        "Remove \(target.name) from the product's targets; a product of its own has the name "
                        + "\(target.name).")
            }
        }
    }
}

extension LocalPackage {
    /// The targets in the folder of the tests that are not tests.
    fileprivate var previews: [LocalTarget] { targets.filter { $0.kind != .test && isForTests($0) } }
}

extension LocalTarget {
    /// The places that declare a product of a package on which the manifest depends, or import one of its modules. The
    /// modules of a remote package have the names of its products.
    func uses(of dependency: Manifest.Dependency, in package: LocalPackage, _ tree: Tree) -> [SourcePlace] {
        let other = tree.package(reachedBy: dependency, of: package)
        func isOfPackage(_ use: Manifest.TargetDependency) -> Bool {
            other.map { tree.package(owning: use, of: package) === $0 }
                ?? (tree.identities(of: use, in: package) == [dependency.identity])
        }
        let modules =
            other?.targets.map(\.module)
            ?? package.targets.flatMap(\.dependencies).filter(isOfPackage).map(\.name)
        return dependencies.filter(isOfPackage).map { place(of: $0, in: package) }
            + imports.filter { modules.contains($1.module) }.map { $0.place($1.position) }
    }

    /// The names that the target's manifest declares and its files import, each with its place.
    func uses(in package: LocalPackage) -> [(name: String, place: SourcePlace)] {
        dependencies.map { dependency in
            (dependency.name, place(of: dependency, in: package))
        } + imports.map { file, imported in (imported.module, file.place(imported.position)) }
    }
}

extension LocalPackage {
    /// The names of the public types of these kinds, such as `struct`.
    fileprivate func types(_ keywords: Set<String>) -> [String] {
        declarations.map(\.1).filter {
            $0.isPublic && $0.parent == nil && keywords.contains($0.keyword)
        }.map(\.name)
    }
}
