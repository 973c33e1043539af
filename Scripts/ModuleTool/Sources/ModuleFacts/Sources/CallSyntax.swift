import SwiftSyntax

extension FunctionCallExprSyntax {
    /// What a call asks of a registry, judged by its name and labels; nil for all other calls.
    var registryUse: SourceFacts.ApiUse.Kind? {
        guard let kind = SourceFacts.ApiUse.Kind(rawValue: calledExpression.lastName), !arguments.isEmpty
        else { return nil }
        let labels = arguments.map { $0.label?.text ?? "" }
        let isUse =
            switch kind {
            case .api, .requireApi, .registerApi, .replaceApi: labels[0] == "type"
            case .removeApi: labels[0] == "api"
            case .register:
                labels[0].isEmpty && labels.dropFirst().allSatisfy(Self.registerLabels.contains)
                    && (trailingClosure != nil || labels.contains("impBuilder"))
            case .module: false
            }
        return isUse ? kind : nil
    }

    private static let registerLabels: Set = ["scope", "impBuilder", "fileID", "line"]

    /// The pattern in `.route(pattern) { … }` and `Link.route(pattern) { … }`; nil for other calls.
    var routePattern: ExprSyntax? {
        guard let called = calledExpression.as(MemberAccessExprSyntax.self),
            called.declName.baseName.text.unquoted == "route",
            called.base.map({ $0.lastName == "Link" }) ?? true,
            trailingClosure != nil || arguments.last?.label?.text == "handler",
            let first = arguments.first, first.label == nil
        else { return nil }
        return first.expression
    }
}

extension ExprSyntax {
    /// The name `X` in the expressions `X` and `M.X`; otherwise empty.
    var lastName: String {
        let name = self.as(MemberAccessExprSyntax.self)?.declName ?? self.as(DeclReferenceExprSyntax.self)
        return name?.baseName.text.unquoted ?? ""
    }
}

extension MemberAccessExprSyntax {
    /// The module type in the contextual type of `.init()`, as in `let m: XModule = .init()`: the only one that the
    /// surrounding expression, variable, parameter or function of one statement names.
    func contextualModule(_ suffix: String) -> String? {
        var node = parent?.as(FunctionCallExprSyntax.self).map(Syntax.init) ?? Syntax(self)
        while let parent = node.parent, !parent.is(FunctionCallExprSyntax.self),
            parent.as(CodeBlockItemListSyntax.self)?.count ?? 1 == 1
        {
            node = parent
            let names = node.tokens(viewMode: .sourceAccurate).map(\.text.unquoted).filter {
                $0.isModuleType(suffix)
            }
            if !names.isEmpty || node.is(PatternBindingSyntax.self) {
                return names.count == 1 ? names[0] : nil
            }
        }
        return nil
    }
}

extension String {
    /// The name without backticks.
    package var unquoted: String { hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }

    /// Whether this is the name of a module type, such as `RideModule`.
    func isModuleType(_ suffix: String) -> Bool {
        hasSuffix(suffix) && count > suffix.count && first?.isUppercase == true
    }
}
