import SwiftSyntax

/// Reads the public declarations in an Api's files, in all branches of `#if`.
struct SurfaceReader: Sendable {
    typealias Declaration = ApiSurface.Declaration

    /// The declarations by path, as in ``ApiSurface``.
    var declarations: [String: [Declaration]] {
        var declarations: [String: [Declaration]] = [:]
        // Another file may have a private type with the same name.
        let (hidden, constants) = (hidden.filter(isHidden), constantValues)
        for declaration in found.flatMap(seen) {
            // Members of protocol extensions are not requirements. Members of other extensions count as members of
            // the type itself.
            let extended = declaration.extended ?? ""
            guard !hidden.contains(where: { extended == $0 || extended.hasPrefix($0 + ".") }) else {
                continue
            }
            let key = protocols.contains(extended) ? "extension " + declaration.path : declaration.path
            declarations[key, default: []].append(expanded(declaration, constants))
        }
        return declarations
    }

    let module: String
    private var path = ""
    private var lines = LineTable([])
    private var found: [Declaration] = []
    /// The values of the constants that callers cannot name, by name.
    var constants: [String: [String]] = [:]
    /// The names of a function's generic parameters, each with its number, because callers cannot name them.
    var generics: [String: String] = [:]
    private var protocols: Set<String> = []
    /// The global actor of each type, empty for `nonisolated`, and what the type inherits.
    private(set) var types: [String: (isolation: String?, inherited: [String])] = [:]
    /// The types and type aliases that callers cannot name.
    private(set) var hidden: Set<String> = []
    /// The same as ``types``, of protocols that callers cannot name.
    private(set) var hiddenTypes: [String: (isolation: String?, inherited: [String])] = [:]
    /// The types that type aliases stand for.
    private(set) var aliases = ["TimeInterval": "Double"]

    init(module: String) { self.module = module }

    /// The enclosing context of a declaration.
    struct Scope {
        var condition = Condition.always
        var path = ""
        /// The extended type, if the declaration is in an extension.
        var extended: String?
        /// Whether members of a protocol are requirements.
        var isRequirement = false
        /// Whether members are public without a modifier.
        var isPublic = false
        var isDeprecated = false
        /// The attributes and the `where` clause of the extension, which apply to its members.
        var attributes: AttributeListSyntax?
        var constraint: GenericWhereClauseSyntax?
        /// The first inherited type of an enum, which may be the type of its raw values.
        var rawType = ""
        var nextRawValue = 0

        func path(of name: String) -> String { path.isEmpty ? name : path + "." + name }

        /// Whether callers see a declaration. Only clients that ask for it see an `@_spi` declaration.
        func exposes(_ modifiers: DeclModifierListSyntax, _ attributes: AttributeListSyntax) -> Bool {
            if [self.attributes, attributes].contains(where: { $0?.isSPI ?? false }) { return false }
            return modifiers.access.map { $0 == "public" || $0 == "open" } ?? isPublic
        }
    }

    mutating func read(_ file: SourceFileSyntax, in path: String, _ lines: LineTable) {
        (self.path, self.lines) = (path, lines)
        var scope = Scope()
        read(file.statements, &scope)
    }

    private mutating func read(_ statements: CodeBlockItemListSyntax, _ scope: inout Scope) {
        for statement in statements {
            switch statement.item {
            case .decl(let node): read(node, &scope)
            // A macro at the top level may declare anything.
            case .expr(let node) where !node.isMessage: add(whole: node, scope)
            default: break
            }
        }
    }

    private mutating func read(_ members: MemberBlockItemListSyntax, _ scope: inout Scope) {
        for member in members { read(member.decl, &scope) }
    }

    private mutating func read(_ node: DeclSyntax, _ scope: inout Scope) {
        switch node.as(DeclSyntaxEnum.self) {
        case .ifConfigDecl(let node): read(node, &scope)
        case .protocolDecl(let node): readType(.protocol, node, nil, scope)
        case .structDecl(let node): readType(.struct, node, node.genericParameterClause, scope)
        case .enumDecl(let node): readType(.enum, node, node.genericParameterClause, scope)
        case .classDecl(let node): readType(.class, node, node.genericParameterClause, scope)
        case .actorDecl(let node): readType(.actor, node, node.genericParameterClause, scope)
        case .extensionDecl(let node): read(node, scope)
        case .functionDecl(let node):
            let name = node.name.text.unquoted
            if let value = node.body?.value, !scope.exposes(node.modifiers, node.attributes) {
                constants[name, default: []].append(text(value) + spaced(node.signature.returnClause))
            }
            add(
                .function, "func " + name, name, node, node.signature.parameterClause,
                node.signature.returnClause,
                effects: node.signature.effectSpecifiers, scope)
        case .macroDecl(let node):
            add(
                .macro, "macro " + node.name.text, "#" + node.name.text, node, node.signature.parameterClause,
                node.signature.returnClause, scope)
        case .macroExpansionDecl where node.isMessage: break
        case .operatorDecl, .precedenceGroupDecl, .macroExpansionDecl: add(whole: node, scope)
        case .importDecl(let node) where node.attributes.names.contains("_exported"): add(whole: node, scope)
        case .initializerDecl(let node):
            add(
                .initializer, "init" + text(node.optionalMark), "init", node, node.signature.parameterClause,
                nil, effects: node.signature.effectSpecifiers,
                demands: node.optionalMark?.text == "?" ? ["init?"] : [], scope)
        case .subscriptDecl(let node):
            add(
                .subscript, "subscript", "subscript", node, node.parameterClause, node.returnClause,
                accessors: node.accessorBlock, scope)
        case .variableDecl(let node): read(node, scope)
        case .enumCaseDecl(let node): read(node, &scope)
        case .typeAliasDecl(let node):
            let path = scope.path(of: node.name.text.unquoted)
            aliases[path] = text(node.initializer.value)
            if !scope.exposes(node.modifiers, node.attributes) { hidden.insert(path) }
            let shape = "typealias \(node.name.text)\(text(node.genericParameterClause))"
            add(
                .alias, node.name.text, node, scope,
                shape: "\(shape) = \(text(node.initializer.value))\(spaced(node.genericWhereClause))",
                names: renamedType(in: node).map { [$0] } ?? [],
                mentions: [node.genericParameterClause, node.initializer.value, node.genericWhereClause])
        case .associatedTypeDecl(let node):
            let shape = "associatedtype \(node.name.text)\(text(node.inheritanceClause))"
            let value = node.initializer.map { [Declaration.defaultType: text($0.value)] } ?? [:]
            add(
                .associatedType, node.name.text, node, scope, shape: shape + spaced(node.genericWhereClause),
                grants: Set(value.keys), values: value,
                mentions: [node.inheritanceClause, node.genericWhereClause])
        default: break
        }
    }

    private mutating func read(_ node: IfConfigDeclSyntax, _ scope: inout Scope) {
        let outer = scope.condition
        for (condition, elements) in node.branches {
            scope.condition = outer.and(condition)
            switch elements {
            case .statements(let statements): read(statements, &scope)
            case .decls(let members): read(members, &scope)
            default: break
            }
        }
        scope.condition = outer
    }

    // MARK: Types

    private mutating func readType(
        _ kind: Declaration.Kind,
        _ node: some DeclGroupSyntax & NamedDeclSyntax & WithAttributesSyntax & WithModifiersSyntax,
        _ generics: GenericParameterClauseSyntax?, _ scope: Scope
    ) {
        let name = node.name.text.unquoted
        let path = scope.path(of: name)
        let isProtocol = kind == .protocol
        let inherited = inherited(node.inheritanceClause)
        let isolation = Attributes([node.attributes]).isolation.map { text($0) }
        guard scope.exposes(node.modifiers, node.attributes) else {
            hidden.insert(path)
            if isProtocol { hiddenTypes[path] = (isolation, inherited) }
            for (name, value) in HiddenConstants.of(node) {
                let text =
                    switch value {
                    case .code(let code): text(code);
                    case .text(let text): text
                    }
                constants[name, default: []].append(text)
            }
            return
        }
        // A type gets all other protocols as conformances, which an extension may declare too.
        let fixed = inherited.filter { $0.hasPrefix("~") }.sorted().joined(separator: ", ")
        let primary = node.as(ProtocolDeclSyntax.self)?.primaryAssociatedTypeClause.map {
            ["its primary associated types": text($0)]
        }
        add(
            kind, name, node, scope,
            shape: "\(node.introducer.text) \(name)\(text(generics))" + (fixed.isEmpty ? "" : ": " + fixed)
                + spaced(node.genericWhereClause), grants: Set(primary?.keys.map(\.self) ?? []),
            values: primary ?? [:],
            names: isProtocol
                ? inherited.filter { !$0.hasPrefix("~") }
                : node.memberBlock.tokens(viewMode: .sourceAccurate).compactMap { token in
                    token.parent?.as(EnumCaseElementSyntax.self)?.name == token ? token.text.unquoted : nil
                }, mentions: [generics, node.genericWhereClause])
        types[path] = (node.modifiers.contains { $0.name.text == "nonisolated" } ? "" : isolation, inherited)
        if isProtocol { protocols.insert(path) } else { addConformances(inherited, of: path, scope) }
        var inner = Scope(condition: scope.condition, path: path, extended: scope.extended)
        (inner.isRequirement, inner.isPublic) = (isProtocol, isProtocol)
        inner.rawType = node.inheritanceClause?.inheritedTypes.first.map { text($0.type) } ?? ""
        inner.isDeprecated = scope.isDeprecated || Attributes([node.attributes]).isDeprecated
        read(node.memberBlock.members, &inner)
    }

    private mutating func read(_ node: ExtensionDeclSyntax, _ scope: Scope) {
        if node.attributes.isSPI { return }
        let path = text(node.extendedType)
        var inner = Scope(condition: scope.condition, path: path, extended: path)
        inner.isPublic = node.modifiers.access == "public"
        inner.attributes = node.attributes
        inner.isDeprecated = Attributes([node.attributes]).isDeprecated
        inner.constraint = node.genericWhereClause
        addConformances(inherited(node.inheritanceClause), of: path, inner)
        read(node.memberBlock.members, &inner)
    }

    // MARK: Declarations

    private mutating func addConformances(_ protocols: [String], of path: String, _ scope: Scope) {
        for name in protocols where !name.hasPrefix("~") {
            let conformance = "conformance of \(path) to \(name)\(spaced(scope.constraint))"
            found.append(
                Declaration(
                    path: conformance, parent: path, extended: path, condition: scope.condition,
                    kind: .conformance, shape: conformance, isDeprecated: true, names: [name]))
        }
    }

    /// Adds syntax without an access modifier, of which every part may matter to callers: operators, exported imports
    /// and uses of macros.
    private mutating func add(whole node: some SyntaxProtocol, _ scope: Scope) {
        found.append(
            Declaration(
                path: scope.path(of: text(node)), parent: scope.path.isEmpty ? nil : scope.path,
                extended: scope.extended, condition: scope.condition, kind: .other, shape: text(node),
                mentions: Self.names(in: [node]), isDeprecated: true, place: place(of: node)))
    }

    /// Adds a declaration that callers see.
    ///
    /// - Parameter mentions: The parts of its signature that name types.
    mutating func add(
        _ kind: Declaration.Kind, _ name: String, _ node: some WithAttributesSyntax & WithModifiersSyntax,
        _ scope: Scope,
        shape: String, types: String = "", parameters: [ApiSurface.Parameter] = [], frame: String = "",
        effects: FunctionEffectSpecifiersSyntax? = nil, storage: Storage? = nil, demands: Set<String> = [],
        grants: Set<String> = [], values: [String: String] = [:], names: [String] = [],
        implicit: ApiSurface.ImplicitRawValue? = nil, mentions: [(any SyntaxProtocol)?]
    ) {
        guard scope.exposes(node.modifiers, node.attributes) else {
            for key in [Declaration.value, Declaration.computedValue] {
                if let value = values[key] { constants[name, default: []].append(value) }
            }
            return
        }
        let constraint = spaced(scope.constraint)
        let attributes = Attributes([scope.attributes, node.attributes].compactMap(\.self))
        let modifiers = node.modifiers.filter { $0.detail?.detail.text != "set" }.map { text($0) }
        // Other modules cannot override a `class` member that is not `open`.
        let meaningful = modifiers.filter { !Self.meaningless.contains($0) && !Self.granting.contains($0) }
            .map { $0 == "class" ? "static" : $0 }
        let words = attributes.others.map { text($0) }.sorted() + meaningful.sorted()
        let getter = storage?.getter?.effectSpecifiers
        let throwing = effects?.throwsClause ?? getter?.throwsClause
        let isRethrowing = throwing?.throwsSpecifier.text == "rethrows"
        let demands = demands.union(meaningful.filter(["mutating", "static"].contains)).union(
            [
                (effects?.asyncSpecifier ?? getter?.asyncSpecifier)?.text,
                attributes.isolation.map { text($0) },
                throwing.map { $0.type == nil && !isRethrowing ? Declaration.untypedThrows : text($0) },
                storage?.getter?.modifier.map { text($0) + " get" },
            ].compactMap(\.self))
        let frame = (words + [frame]).joined(separator: " ") + constraint
        var shape = (words + [shape + spaced(storage?.getter)]).joined(separator: " ") + constraint
        var grants = grants
        grants.formUnion(attributes.grants.union(modifiers.filter(Self.granting.contains)))
        if storage?.isSettable ?? false {
            // A new setter breaks types that conform to the protocol.
            if scope.isRequirement { shape += " set" } else { grants.insert("its setter") }
            if storage?.isNonmutating == true { grants.insert(Declaration.nonmutatingSetter) }
        }
        found.append(
            Declaration(
                path: scope.path(of: name), parent: scope.path.isEmpty ? nil : scope.path,
                extended: scope.extended, condition: scope.condition, kind: kind,
                isRequirement: scope.isRequirement, shape: shape, frame: frame, modifiers: Set(words),
                mentions: Self.names(in: mentions + attributes.others + [scope.constraint]),
                types: types + constraint, grants: grants, values: values,
                demands: demands,
                restrictions: attributes.restrictions,
                isDeprecated: scope.isDeprecated || attributes.isDeprecated,
                isSettable: scope.isRequirement && storage?.isSettable ?? false, parameters: parameters,
                names: names, implicit: implicit, place: place(of: node)))
    }

    private static func names(in nodes: [(any SyntaxProtocol)?]) -> Set<String> {
        Set(
            nodes.compactMap(\.self).flatMap { $0.tokens(viewMode: .sourceAccurate) }.compactMap { token in
                if case .identifier(let name) = token.tokenKind { name.unquoted } else { nil }
            })
    }

    /// The type `B` in `typealias A = B` and `typealias A<T> = B<T>`; nil for all other aliases.
    private func renamedType(in node: TypeAliasDeclSyntax) -> String? {
        let type = node.initializer.value
        let arguments =
            type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
            ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
        let (start, end) = (text(type), text(arguments))
        let isName = type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
        guard isName, node.genericWhereClause == nil, end == text(node.genericParameterClause) else {
            return nil
        }
        return String(start.dropLast(end.count))
    }

    /// The place of a declaration, after its attributes and modifiers.
    private func place(of node: some SyntaxProtocol) -> ApiSurface.DeclaredPlace {
        let start = node.asProtocol((any NamedDeclSyntax).self)?.name.positionAfterSkippingLeadingTrivia
        let position = start.map { lines.position($0.utf8Offset) } ?? lines.position(node)
        return .init(place: position.in(path))
    }

    /// The modifiers that make no difference to callers and subclasses in other modules. Modules other than the
    /// declaration's own can override only `open` members, whether or not the others are `final`.
    private static let meaningless: Set = ["public", "final", "override", "indirect"]

    /// The modifiers that allow callers and subclasses more, so that a release may add them but not remove them.
    private static let granting: Set = ["open", "dynamic", "optional"]
}
