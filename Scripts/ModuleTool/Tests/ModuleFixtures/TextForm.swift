import ModuleKit

extension Diagnostic {
    /// Whether the reason and the fix have the form that ``Diagnostic`` describes.
    package var isInForm: Bool { fix.isInForm && (why.isEmpty || why.isInForm) }
}

extension String {
    /// Whether this is a sentence, or ends in a command or code to copy after a colon.
    package var isInForm: Bool {
        first?.isUppercase == true && (hasSuffix(".") || contains(": ") || contains(":\n") || hasSuffix(":"))
    }
}
