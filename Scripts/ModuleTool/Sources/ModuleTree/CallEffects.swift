import SwiftParser
import SwiftSyntax

/// The effects of an Api's public declarations that neither the digester nor mangled names show: the global
/// actor of a declaration (`@MainActor`), and the `async` and `throws` of properties and subscripts.
struct CallEffects {
    /// The effects by the declaration's path, such as `RideApiProtocol.rides(limit:)`; one sorted entry per
    /// overload.
    private let effects: [String: [String]]

    init(_ files: ApiSurface.Files) {
        let visitor = Visitor(viewMode: .sourceAccurate)
        for (_, data) in files.sorted(by: { $0.key < $1.key }) {
            visitor.walk(Parser.parse(source: String(decoding: data, as: UTF8.self)))
        }
        effects = visitor.effects.mapValues { $0.sorted() }
    }

    /// The changes for callers and implementers, one line each. The digester reports removed and added
    /// declarations.
    func changes(to new: CallEffects) -> [String] {
        effects.keys.sorted().compactMap { path in
            guard let old = effects[path], let now = new.effects[path] else { return nil }
            if old == now || now.count > old.count && Set(now).isSuperset(of: old) { return nil }
            func words(_ effects: [String]) -> String {
                effects.map { $0.isEmpty ? "none" : $0 }.joined(separator: " or ")
            }
            return "\(path) has changed its effects from \(words(old)) to \(words(now))"
        }
    }

    private final class Visitor: SyntaxVisitor {
        var effects: [String: [String]] = [:]
        private var parents: [(name: String, sharesAccess: Bool)] = []

        private func add(
            _ name: String, _ modifiers: DeclModifierListSyntax, _ attributes: AttributeListSyntax,
            _ accessors: AccessorBlockSyntax? = nil
        ) {
            let isPublic = modifiers.contains { $0.name.text == "public" || $0.name.text == "open" }
            guard isPublic || parents.last?.sharesAccess == true else { return }
            // Global actors begin with a capital letter; the language's own attributes do not.
            let actors = attributes.compactMap {
                $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription
            }
            .filter { $0.first?.isUppercase == true }.map { "@" + $0 }
            var words = actors.sorted()
            if case .accessors(let list)? = accessors?.accessors {
                for accessor in list where accessor.accessorSpecifier.text == "get" {
                    let effect = accessor.effectSpecifiers
                    words += [effect?.asyncSpecifier?.text, effect?.throwsClause?.trimmedDescription]
                        .compactMap(\.self)
                }
            }
            let path = (parents.map(\.name) + [name]).joined(separator: ".")
            effects[path, default: []].append(words.joined(separator: " "))
        }

        private func labels(_ clause: FunctionParameterClauseSyntax) -> String {
            "(" + clause.parameters.map { $0.firstName.text + ":" }.joined() + ")"
        }

        private func open(_ name: String, sharesAccess: Bool = false) -> SyntaxVisitorContinueKind {
            parents.append((name, sharesAccess))
            return .visitChildren
        }

        override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
            add(node.name.text.unquoted, node.modifiers, node.attributes)
            return open(
                node.name.text.unquoted, sharesAccess: node.modifiers.contains { $0.name.text == "public" })
        }
        override func visitPost(_ node: ProtocolDeclSyntax) { parents.removeLast() }

        override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
            add(node.name.text.unquoted, node.modifiers, node.attributes)
            return open(node.name.text.unquoted)
        }
        override func visitPost(_ node: StructDeclSyntax) { parents.removeLast() }

        override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
            add(node.name.text.unquoted, node.modifiers, node.attributes)
            return open(node.name.text.unquoted)
        }
        override func visitPost(_ node: EnumDeclSyntax) { parents.removeLast() }

        override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
            // An extension gets a separate path, because a protocol extension's members are not requirements.
            open(
                "extension " + node.extendedType.trimmedDescription,
                sharesAccess: node.modifiers.contains { $0.name.text == "public" })
        }
        override func visitPost(_ node: ExtensionDeclSyntax) { parents.removeLast() }

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            let name = node.name.text.unquoted + labels(node.signature.parameterClause)
            add(name, node.modifiers, node.attributes)
            return .skipChildren
        }

        override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
            add("init" + labels(node.signature.parameterClause), node.modifiers, node.attributes)
            return .skipChildren
        }

        override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
            let name = "subscript" + labels(node.parameterClause)
            add(name, node.modifiers, node.attributes, node.accessorBlock)
            return .skipChildren
        }

        override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
            for binding in node.bindings {
                let name = binding.pattern.trimmedDescription
                add(name, node.modifiers, node.attributes, binding.accessorBlock)
            }
            return .skipChildren
        }
    }
}
