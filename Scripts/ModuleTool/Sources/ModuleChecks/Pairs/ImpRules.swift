import ModuleFacts
import ModuleKit
import ModuleRules
import ModuleTree

extension Rule {
    static let impOwnApi = Rule("imp-own-api", in: .pairs, over: \.complete) { imp, report in
        let target = imp.targets.first { $0.name == imp.name }
        guard let api = report.tree.package(imp.apiName),
            target?.dependencies.contains(where: { $0.name == api.name }) != true
        else { return }
        report(
            (target?.declaration.position ?? Position()).in(imp.manifestPath),
            "\(imp.name) does not depend on its own \(api.name)",
            fix: "Add .package(path: \"../\(api.name)\") to the package and \"\(api.name)\" to the target.",
            repair: .add(api.name, of: api.path, to: imp.name, in: imp.path),
            cause: target?.imports.filter { $1.module == api.name }.map { $0.place($1.position) } ?? [])
    }

    static let impPublic = Rule("imp-public", in: .pairs, over: \.complete) { imp, report in
        let entry = imp.moduleType
        // A public member of an internal type is not visible from outside. Only its own file sees a private type.
        func hidden(_ files: [SourceFile], isPrivate: Bool) -> Set<String> {
            Set(
                files.flatMap(\.facts.declarations).filter {
                    !$0.isPublic && $0.isPrivate == isPrivate && $0.keyword != "protocol" && $0.parent == nil
                }.map(\.name))
        }
        for target in imp.mainTargets {
            let shared = hidden(target.files, isPrivate: false)
            for file in target.files {
                let hidden = shared.union(hidden([file], isPrivate: true))
                for declaration in file.facts.declarations where declaration.isPublic {
                    let owner = declaration.parent.map { String($0.prefix { $0 != "." }) }
                    if owner.map({ $0 == entry || hidden.contains($0) }) ?? (declaration.name == entry) {
                        continue
                    }
                    report(
                        file.place(declaration.position),
                        "\(declaration.keyword) \(declaration.name) of the IMP \(imp.name) is public",
                        fix: "Remove `public`, or move the declaration to "
                            + "\(report.tree.api(of: imp)?.name ?? imp.apiName).")
                }
            }
            let declarations = target.files.flatMap(\.facts.declarations)
            if target.name == imp.name, !declarations.contains(where: { $0.name == entry && $0.isPublic }) {
                report(
                    target.declaration.position.in(imp.manifestPath),
                    "\(imp.name) has no public type named \(entry)",
                    fix: "Write `public struct \(entry): Module` in \(target.folder)/\(entry).swift.")
            }
        }
    }

    static let moduleMembers = Rule("module-members", in: .pairs, over: \.complete) { imp, report in
        let members: Set = [
            "init init", "func register(in:)", "func prepare(in:)", "func links(in:)", "func handle(_:in:)",
            "let name", "let version", "let after", "var name", "var version", "var after",
        ]
        let declared = imp.declarations.filter { $1.parent == imp.moduleType }
        let answersLinks = declared.contains {
            $1.keyword == SourceFacts.Declaration.conformance && $1.name == "LinkAnswering"
        }
        let inherited = declared.filter { $1.keyword == SourceFacts.Declaration.conformance }
            .flatMap { Self.standardMembers[$1.name, default: []] }
        for (file, member) in declared {
            let place = file.place(member.position)
            let signature = member.signature?.split(separator: " ")
            let spelling = "\(member.keyword) \(member.name)\(signature?.first ?? "")"
            if member.keyword == "func", member.name == "links", !answersLinks {
                report(
                    place,
                    "\(imp.moduleType) has links, but does not conform to LinkAnswering, so the app never asks it",
                    fix: "Write `: Module, LinkAnswering`, or rename the function.")
            } else if member.isPublic, !members.contains(spelling), !inherited.contains(member.name) {
                report(
                    place, "\(spelling) of \(imp.moduleType) is not part of Module",
                    fix: "Correct its name, or remove `public`.")
            } else if ["func prepare(in:)", "func handle(_:in:)"].contains(spelling), signature?.count == 1 {
                report(
                    place,
                    "\(spelling) of \(imp.moduleType) is not async, so a call on the type itself, such as in a test, "
                        + "reaches Module's default, which does nothing",
                    fix: "Write `async` after the parameters.")
            }
        }
    }

    /// The requirements of the standard protocols to which a module type may conform too.
    private static let standardMembers = [
        "CustomStringConvertible": ["description"], "CustomDebugStringConvertible": ["debugDescription"],
        "Equatable": ["=="], "Hashable": ["==", "hash"], "Comparable": ["==", "<"],
        "Identifiable": ["id", "ID"],
    ]

    static let routeConstant = Rule("route-constant", in: .pairs, over: \.imps) { imp, report in
        guard let api = report.tree.api(of: imp) else { return }
        let routes = api.pairName + "Route"
        for file in imp.sources {
            for route in file.facts.routes
            where !route.pattern.isMember(of: routes) && !route.pattern.isMember(of: "\(api.name).\(routes)")
            {
                report(
                    file.place(route.position),
                    "the route \(route.pattern) of \(imp.name) is not a constant of \(api.name)",
                    fix:
                        "Declare the route in `public enum \(routes)` of \(api.name), and write .route(\(routes).name)."
                )
            }
        }
    }
}

extension String {
    /// Whether the text is a type's name, followed by the names of members and by nothing else.
    fileprivate func isMember(of type: String) -> Bool {
        hasPrefix(type + ".") && allSatisfy { $0.isLetter || $0.isNumber || "_.".contains($0) }
    }
}
