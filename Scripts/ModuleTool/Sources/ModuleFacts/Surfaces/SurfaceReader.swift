import SwiftSyntax

/// Reads the declarations in the files of a module, in all branches of `#if`: all that callers see, and of hidden ones
/// what ``SeenDeclarations`` needs to know.
struct SurfaceReader: Sendable {
    typealias Declaration = ApiSurface.Declaration

    let module: String
    private(set) var found: [Declaration] = []
    /// The names of a function's generic parameters, each with its number, because callers cannot name them.
    var generics: [String: String] = [:]
    private var path = ""
    private var lines = LineTable([])

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
        /// Whether callers cannot name the type, and so none of its members.
        var isHidden = false
        var isDeprecated = false
        /// The attributes and the `where` clause of the extension, which apply to its members.
        var attributes: AttributeListSyntax?
        var constraint: GenericWhereClauseSyntax?
        /// The first inherited type of an enum, which may be the type of its raw values.
        var rawType = ""
        var nextRawValue = 0

        /// A declaration in this scope.
        func declaration(_ kind: Declaration.Kind, _ name: String, shape: String = "") -> Declaration {
            Declaration(
                path: path.isEmpty ? name : path + "." + name, parent: path.isEmpty ? nil : path,
                extended: extended, condition: condition, kind: kind, isRequirement: isRequirement,
                shape: shape)
        }

        /// Whether callers see a declaration. Only clients that ask for it see an `@_spi` declaration.
        func exposes(_ modifiers: DeclModifierListSyntax, _ attributes: AttributeListSyntax) -> Bool {
            if isHidden || [self.attributes, attributes].contains(where: { $0?.isSPI ?? false }) {
                return false
            }
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
        case .functionDecl(let node): read(node, scope)
        case .macroDecl(let node): read(node, scope)
        case .macroExpansionDecl where node.isMessage: break
        case .operatorDecl, .precedenceGroupDecl, .macroExpansionDecl: add(whole: node, scope)
        case .importDecl(let node) where node.attributes.names.contains("_exported"): add(whole: node, scope)
        case .initializerDecl(let node): read(node, scope)
        case .subscriptDecl(let node): read(node, scope)
        case .variableDecl(let node): read(node, scope)
        case .enumCaseDecl(let node): read(node, &scope)
        case .typeAliasDecl(let node): read(node, scope)
        case .associatedTypeDecl(let node): read(node, scope)
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
        let inherited = inherited(node.inheritanceClause)
        // A type gets all other protocols as conformances, which an extension may declare too.
        let fixed = inherited.filter { $0.hasPrefix("~") }.sorted().joined(separator: ", ")
        var type = scope.declaration(
            kind, name,
            shape: "\(node.introducer.text) \(name)\(text(generics))" + (fixed.isEmpty ? "" : ": " + fixed)
                + spaced(node.genericWhereClause))
        if let clause = node.as(ProtocolDeclSyntax.self)?.primaryAssociatedTypeClause {
            type.values["its primary associated types"] = text(clause)
        }
        type.grants = Set(type.values.keys)
        let isExposed = scope.exposes(node.modifiers, node.attributes)
        let isNonisolated = isExposed && node.modifiers.contains { $0.name.text == "nonisolated" }
        type.isolation = isNonisolated ? "" : Attributes([node.attributes]).isolation.map { text($0) }
        type.bases = inherited
        type.names =
            kind == .protocol
            ? inherited.filter { !$0.hasPrefix("~") }
            : node.memberBlock.tokens(viewMode: .sourceAccurate).compactMap { token in
                token.parent?.as(EnumCaseElementSyntax.self)?.name == token ? token.text.unquoted : nil
            }
        add(type, node, scope, mentions: [generics, node.genericWhereClause])
        if isExposed, kind != .protocol { addConformances(inherited, of: type.path, scope) }
        var inner = Scope(condition: scope.condition, path: type.path, extended: scope.extended)
        (inner.isRequirement, inner.isPublic) = (kind == .protocol, kind == .protocol)
        inner.isHidden = !isExposed
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
        if scope.isHidden { return }
        var declaration = scope.declaration(.other, text(node), shape: text(node))
        (declaration.isRequirement, declaration.isDeprecated) = (false, true)
        (declaration.mentions, declaration.place) = (Self.names(in: [node]), place(of: node))
        found.append(declaration)
    }

    /// Adds a declaration, with what its attributes and modifiers and its scope say about it.
    ///
    /// - Parameter mentions: The parts of its signature that name types.
    mutating func add(
        _ declaration: Declaration, _ node: some WithAttributesSyntax & WithModifiersSyntax, _ scope: Scope,
        effects: FunctionEffectSpecifiersSyntax? = nil, storage: Storage? = nil,
        mentions: [(any SyntaxProtocol)?]
    ) {
        var declaration = declaration
        guard scope.exposes(node.modifiers, node.attributes) else {
            declaration.isVisible = false
            found.append(declaration)
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
        declaration.demands.formUnion(meaningful.filter(["mutating", "static"].contains))
        declaration.demands.formUnion(
            [
                (effects?.asyncSpecifier ?? getter?.asyncSpecifier)?.text,
                attributes.isolation.map { text($0) },
                throwing.map { $0.type == nil && !isRethrowing ? Declaration.untypedThrows : text($0) },
                storage?.getter?.modifier.map { text($0) + " get" },
            ].compactMap(\.self))
        declaration.frame = (words + [declaration.frame]).joined(separator: " ") + constraint
        declaration.shape =
            (words + [declaration.shape + spaced(storage?.getter)]).joined(separator: " ") + constraint
        declaration.grants.formUnion(attributes.grants.union(modifiers.filter(Self.granting.contains)))
        if storage?.isSettable ?? false {
            // A new setter breaks types that conform to the protocol.
            if scope.isRequirement {
                declaration.shape += " set"
                declaration.isSettable = true
            } else {
                declaration.grants.insert("its setter")
            }
            if storage?.isNonmutating == true { declaration.grants.insert(Declaration.nonmutatingSetter) }
        }
        declaration.modifiers = Set(words)
        declaration.mentions = Self.names(in: mentions + attributes.others + [scope.constraint])
        declaration.types += constraint
        declaration.restrictions = attributes.restrictions
        declaration.isDeprecated = scope.isDeprecated || attributes.isDeprecated
        declaration.place = place(of: node)
        found.append(declaration)
    }

    private static func names(in nodes: [(any SyntaxProtocol)?]) -> Set<String> {
        Set(
            nodes.compactMap(\.self).flatMap { $0.tokens(viewMode: .sourceAccurate) }.compactMap { token in
                if case .identifier(let name) = token.tokenKind { name.unquoted } else { nil }
            })
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
