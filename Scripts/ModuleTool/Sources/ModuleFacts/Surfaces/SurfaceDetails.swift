import SwiftSyntax

/// The attributes of a declaration that matter to callers.
struct Attributes {
    /// The platforms and versions that a declaration needs, by platform.
    private(set) var restrictions: [String: [Int]] = [:]
    private(set) var isDeprecated = false
    private(set) var grants: Set<String> = []
    /// The attributes that every caller sees, such as `@MainActor`.
    private(set) var others: [AttributeListSyntax.Element] = []

    /// The attribute of a global actor, which by convention has a name that ends in `Actor`.
    var isolation: AttributeListSyntax.Element? {
        others.first { $0.as(AttributeSyntax.self)?.name.hasSuffix("Actor") == true }
    }

    init(_ lists: [AttributeListSyntax]) {
        for element in lists.joined() {
            guard let attribute = element.as(AttributeSyntax.self) else {
                others.append(element)
                continue
            }
            if attribute.name == "available" {
                readAvailability(attribute)
            } else if Self.granting.contains(attribute.name) {
                grants.insert(attribute.trimmedDescription)
            } else if !Self.meaningless.contains(attribute.name) {
                others.append(element)
            }
        }
    }

    /// The attributes that allow callers more, so that a release may add them but not remove them. A frozen type is
    /// Sendable without saying so if its parts are.
    private static let granting: Set = [
        "discardableResult", "dynamicCallable", "dynamicMemberLookup", "frozen", "globalActor",
        "preconcurrency", "propertyWrapper", "resultBuilder", "c", "_cdecl", "_expose", "objc", "objcMembers",
    ]

    /// The attributes that affect how the module is compiled, linked, started or documented, but not who may call what.
    private static let meaningless: Set = [
        "_alwaysEmitIntoClient", "_documentation", "_optimize", "_originallyDefinedIn", "_semantics",
        "_specialize", "_transparent", "abi", "backDeployed", "inlinable", "inline", "main", "optimize",
        "section",
        "specialized", "usableFromInline", "used", "warn_unqualified_access",
    ]

    /// Reads `macOS 15, *` and `macOS, introduced: 15, deprecated`.
    private mutating func readAvailability(_ attribute: AttributeSyntax) {
        // A message may contain commas.
        let text = attribute.arguments?.trimmedDescription.replacing(/"(?:[^"\\]|\\.)*"/, with: "") ?? ""
        var platform = ""
        for part in text.split(separator: ",") {
            let words = part.split { ": \n".contains($0) }.map(String.init)
            let version = (words.dropFirst().first ?? "").split(separator: ".").compactMap { Int($0) }
            switch words.first ?? "" {
            case "introduced": restrictions[platform] = version
            case "deprecated": isDeprecated = true
            case "obsoleted", "unavailable", "noasync": restrictions["\(platform) \(words[0])"] = []
            case "message", "renamed": break
            case let name:
                platform = name
                if !version.isEmpty { restrictions[name] = version }
            }
        }
    }
}

extension AttributeSyntax {
    /// The name without arguments: `available`.
    var name: String { attributeName.trimmedDescription }
}

extension AttributeListSyntax {
    var names: [String] { compactMap { $0.as(AttributeSyntax.self)?.name } }

    /// Whether only clients that import the module with `@_spi` see the declaration.
    var isSPI: Bool { names.contains("_spi") }
}

struct Storage {
    /// The getter, if it has effects or modifiers.
    let getter: AccessorDeclSyntax?
    let isSettable: Bool
    /// Whether a setter leaves the value that it is called on as it is.
    let isNonmutating: Bool

    init(_ block: AccessorBlockSyntax?, isLet: Bool, _ modifiers: DeclModifierListSyntax) {
        let isHidden = modifiers.contains { $0.detail?.detail.text == "set" && $0.name.text != "public" }
        guard case .accessors(let accessors)? = block?.accessors else {
            (isSettable, isNonmutating, getter) = (block == nil && !isLet && !isHidden, false, nil)
            return
        }
        isSettable =
            !isHidden && accessors.contains { !["get", "_read"].contains($0.accessorSpecifier.text) }
        isNonmutating =
            isSettable && accessors.contains { $0.modifier?.name.text == "nonmutating" }
        getter = accessors.first {
            $0.accessorSpecifier.text == "get" && ($0.effectSpecifiers != nil || $0.modifier != nil)
        }?.with(\.body, nil)
    }
}

extension ExprSyntax {
    /// The type of a literal: `String` for `"ride_vc"`.
    var literalType: String? {
        if let prefix = self.as(PrefixOperatorExprSyntax.self) { return prefix.expression.literalType }
        return switch kind {
        case .stringLiteralExpr: "String"
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .booleanLiteralExpr: "Bool"
        default: nil
        }
    }
}

extension AccessorBlockSyntax {
    /// The only expression in a getter, such as the literal in `var version: String { "1.0.0" }`.
    var value: ExprSyntax? {
        let getter = accessors.as(AccessorDeclListSyntax.self)?.first { $0.accessorSpecifier.text == "get" }
        return accessors.as(CodeBlockItemListSyntax.self)?.value ?? getter?.body?.value
    }

    /// The literal that a computed property such as `var route: String { "ride_vc" }` returns. Such a property is
    /// treated as a constant.
    var literal: ExprSyntax? { value.flatMap { $0.literalType == nil ? nil : $0 } }
}

extension CodeBlockItemListSyntax {
    /// The only expression, if there is nothing else.
    fileprivate var value: ExprSyntax? {
        guard let item = first?.item, count == 1 else { return nil }
        return item.as(ReturnStmtSyntax.self)?.expression ?? item.as(ExprSyntax.self)
    }
}

extension CodeBlockSyntax {
    /// The only expression in the body of a function.
    var value: ExprSyntax? { statements.value }
}

extension SyntaxProtocol {
    /// Whether the node is `#error("...")` or `#warning("...")`, which declares nothing.
    var isMessage: Bool {
        let macro =
            self.as(MacroExpansionExprSyntax.self)?.macroName
            ?? self.as(MacroExpansionDeclSyntax.self)?.macroName
        return ["error", "warning"].contains(macro?.text)
    }
}
