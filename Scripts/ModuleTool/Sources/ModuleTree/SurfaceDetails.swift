import SwiftSyntax

/// The attributes of a declaration that matter to callers.
struct Attributes {
    /// The platforms and versions that a declaration needs, by platform.
    private(set) var restrictions: [String: [Int]] = [:]
    private(set) var isDeprecated = false
    private(set) var grants: Set<String> = []
    /// The attributes that every caller sees, such as `@MainActor`.
    private(set) var others: [AttributeListSyntax.Element] = []

    init(_ lists: [AttributeListSyntax]) {
        for element in lists.joined() {
            guard let attribute = element.as(AttributeSyntax.self) else {
                others.append(element)
                continue
            }
            switch attribute.attributeName.trimmedDescription {
            case "available": readAvailability(attribute)
            case "discardableResult": grants.insert("@discardableResult")
            case "inlinable", "inline", "usableFromInline", "frozen": break
            default: others.append(element)
            }
        }
    }

    private mutating func readAvailability(_ attribute: AttributeSyntax) {
        guard case .availability(let arguments)? = attribute.arguments else { return }
        var platform = ""
        for argument in arguments.map(\.argument) {
            if case .availabilityVersionRestriction(let restriction) = argument {
                restrictions[restriction.platform.text] = Self.numbers(restriction.version)
            } else if case .availabilityLabeledArgument(let argument) = argument {
                switch argument.label.text {
                case "introduced": restrictions[platform] = Self.numbers(argument.value)
                case "obsoleted": restrictions[platform + " obsoleted"] = []
                case "deprecated": isDeprecated = true
                default: break
                }
            } else {
                switch argument.trimmedDescription {
                case "deprecated": isDeprecated = true
                case "unavailable", "noasync": restrictions["\(platform) \(argument.trimmedDescription)"] = []
                default: platform = argument.trimmedDescription
                }
            }
        }
    }

    private static func numbers(_ version: (some SyntaxProtocol)?) -> [Int] {
        version?.trimmedDescription.split(separator: ".").compactMap { Int($0) } ?? []
    }
}

struct Storage {
    /// The getter, if it has effects or modifiers.
    let getter: AccessorDeclSyntax?
    let isSettable: Bool

    init(_ block: AccessorBlockSyntax?, isLet: Bool, _ modifiers: DeclModifierListSyntax) {
        let isHidden = modifiers.contains { $0.detail?.detail.text == "set" && $0.name.text != "public" }
        guard case .accessors(let accessors)? = block?.accessors else {
            (isSettable, getter) = (block == nil && !isLet && !isHidden, nil)
            return
        }
        isSettable =
            !isHidden && accessors.contains { !["get", "_read"].contains($0.accessorSpecifier.text) }
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
    /// The literal that a computed property such as `var route: String { "ride_vc" }` returns. Such a property is
    /// treated as a constant.
    var literal: ExprSyntax? {
        guard case .getter(let items) = accessors, items.count == 1,
            case .expr(let value)? = items.first?.item
        else { return nil }
        return value.literalType == nil ? nil : value
    }
}
