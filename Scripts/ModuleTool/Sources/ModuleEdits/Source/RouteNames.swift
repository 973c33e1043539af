import ModuleTree
import SwiftSyntax

/// The routes that an Api package declares: the static constants of its enum `XxxRoute`, except numbers.
enum RouteNames {
    /// The constants in a file of the pair's Api, in the file's order, such as `RideRoute.main`.
    static func inSource(
        _ text: String, of pair: String, path: String = "Api.swift"
    ) throws(Diagnostic) -> [String] {
        let name = pair + "Route"
        return try SourceParser.tree(text, in: path).statements.flatMap { statement -> [String] in
            guard let group = statement.item.asProtocol((any DeclGroupSyntax).self),
                group.as(EnumDeclSyntax.self)?.name.text == name
                    || group.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription == name
            else { return [] }
            return group.memberBlock.members.flatMap { member -> [String] in
                guard let variable = member.decl.as(VariableDeclSyntax.self),
                    variable.modifiers.contains(where: { $0.name.text == "static" })
                else { return [] }
                return variable.bindings.filter { binding in
                    guard let value = binding.initializer?.value else { return false }
                    return !value.is(IntegerLiteralExprSyntax.self) && !value.is(FloatLiteralExprSyntax.self)
                }.map { "\(name).\($0.pattern.trimmedDescription)" }
            }
        }
    }
}

extension HouseRoot {
    /// The routes that the pairs' Apis declare, by the pair's name. Pairs without routes are left out.
    func routes(of pairs: [PairList.Pair]) throws(Diagnostic) -> [String: [String]] {
        var routes: [String: [String]] = [:]
        for pair in pairs where pair.alternativeTo == nil {
            for path in swiftFiles(in: configuration.api(pair.folder) + "/Sources") {
                let found = try RouteNames.inSource(text(path), of: pair.name, path: path)
                if !found.isEmpty { routes[pair.name, default: []] += found }
            }
        }
        return routes
    }
}
