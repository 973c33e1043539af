import SwiftParser
import SwiftSyntax

/// The values of an Api's public constants: the names of routes and notifications, and the raw values of
/// enums.
///
/// `swift-api-digester` compares only types, but a changed value breaks callers too.
struct ConstantValues {
    /// The values by constant path (`RideRoute.main`), as source tokens without comments and spaces. A
    /// constant declared in several `#if` branches has several values.
    private(set) var values: [String: [String]] = [:]

    init(_ files: ApiSurface.Files) {
        let visitor = Visitor(viewMode: .sourceAccurate)
        for (_, data) in files.sorted(by: { $0.key < $1.key }) {
            visitor.walk(Parser.parse(source: String(decoding: data, as: UTF8.self)))
        }
        values = visitor.values
    }

    /// One line for each constant whose value changed. The digester reports removed and added constants.
    func changes(to new: ConstantValues) -> [String] {
        values.compactMap { path, old in
            guard let now = new.values[path], Set(now) != Set(old) else { return nil }
            return "Constant \(path) has changed its value from \(old.joined(separator: " or ")) to "
                + now.joined(separator: " or ")
        }.sorted()
    }

    private final class Visitor: SyntaxVisitor {
        var values: [String: [String]] = [:]
        private var parents: [(name: String, isPublic: Bool)] = []

        private func add(_ name: String, _ value: String) {
            values[(parents.map(\.name) + [name]).joined(separator: "."), default: []].append(value)
        }

        private func tokens(_ node: some SyntaxProtocol) -> String {
            node.tokens(viewMode: .sourceAccurate).map(\.text).joined()
        }

        private func isPublic(_ modifiers: DeclModifierListSyntax) -> Bool {
            modifiers.contains { $0.name.text == "public" }
        }

        private func open(_ name: String, _ modifiers: DeclModifierListSyntax) -> SyntaxVisitorContinueKind {
            parents.append((name, isPublic(modifiers)))
            return .visitChildren
        }

        override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
            let isInPublicExtension =
                node.parent?.parent?.parent?.parent?.is(ExtensionDeclSyntax.self) == true
                && parents.last?.isPublic == true
            guard isPublic(node.modifiers) || isInPublicExtension else { return .skipChildren }
            for binding in node.bindings {
                let name = binding.pattern.trimmedDescription
                if node.bindingSpecifier.text == "let", let value = binding.initializer?.value {
                    add(name, tokens(value))
                } else if let value = literal(binding.accessorBlock) {
                    add(name, tokens(value))
                }
            }
            return .skipChildren
        }

        /// The literal returned by a computed property such as `var route: String { "ride_vc" }`, which
        /// counts as a constant.
        private func literal(_ block: AccessorBlockSyntax?) -> ExprSyntax? {
            guard case .getter(let items)? = block?.accessors, items.count == 1,
                case .expr(let value)? = items.first?.item
            else { return nil }
            return value.is(StringLiteralExprSyntax.self) || value.is(IntegerLiteralExprSyntax.self)
                ? value : nil
        }

        override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
            let name = node.name.text.unquoted
            if isPublic(node.modifiers) || parents.last?.isPublic == true {
                addRawValues(node, of: name)
            }
            return open(name, node.modifiers)
        }
        override func visitPost(_ node: EnumDeclSyntax) { parents.removeLast() }

        /// Adds explicit and implicit raw values. An implicit raw value is the name of the case in a `String`
        /// enum, and the previous value plus one in an integer enum.
        private func addRawValues(_ node: EnumDeclSyntax, of name: String) {
            let raw = node.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription ?? ""
            let elements = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
                .flatMap(\.elements)
            var following = 0
            for element in elements {
                let written = element.rawValue.map { tokens($0.value) }
                let text = element.name.text.unquoted
                if raw == "String" {
                    add("\(name).\(text)", written ?? "\"\(text)\"")
                } else if raw.contains("Int") {
                    following = written.flatMap { Int($0) } ?? following
                    add("\(name).\(text)", written ?? "\(following)")
                    following += 1
                } else if let written {
                    add("\(name).\(text)", written)
                }
            }
        }

        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
            open(node.name.text.unquoted, node.modifiers)
        }
        override func visitPost(_ node: StructDeclSyntax) { parents.removeLast() }

        override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
            open(node.extendedType.trimmedDescription, node.modifiers)
        }
        override func visitPost(_ node: ExtensionDeclSyntax) { parents.removeLast() }

        // Protocols, functions and closures contain no constants that callers see.
        override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
        override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    }
}
