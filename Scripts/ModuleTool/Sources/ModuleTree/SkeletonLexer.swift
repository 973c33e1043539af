/// Finds the parts of a Swift file that can be left out before parsing; see ``SourceSkeleton``.
///
/// The lexer recognises only comments, string literals, brackets and words. If it cannot tell code from text,
/// it gives up, and the whole file is parsed.
struct SkeletonLexer {
    /// Thrown if the lexer cannot tell code from text.
    private struct Unsure: Error {}

    /// An open bracket.
    private struct Bracket {
        let kind: UInt8
        let offset: Int
        /// The number of cuts before the bracket.
        let cuts: Int
        /// Whether the bracket contains a word that can begin a fact.
        var isNotable = false
    }

    private let bytes: [UInt8]
    private let scope: SourceScanner.Scope
    private let words: NotableWords
    private var index = 0
    private var open: [Bracket] = []
    /// The number of open brackets that are not braces.
    private var parentheses = 0
    private var cuts: [Range<Int>] = []

    /// Whether the outermost block may be the body of an extension.
    private var isExtension = false
    private var isBehindImport = false
    /// The end of the module name in the last import.
    private var importsEnd = 0

    /// The parts to leave out, in order; nil if the lexer cannot tell code from text.
    ///
    /// Complexity: O(*n*) in the file's length.
    static func cuts(of bytes: [UInt8], scope: SourceScanner.Scope) -> [Range<Int>]? {
        let words: NotableWords =
            switch scope {
            case .imports: .imports
            case .names: .names
            case .all, .api: .all
            }
        var lexer = SkeletonLexer(bytes: bytes, scope: scope, words: words)
        do {
            try lexer.readCode()
        } catch {
            return nil
        }
        guard lexer.open.isEmpty else { return nil }
        if scope == .imports {
            // Everything after the line of the last import is left out.
            var end = lexer.importsEnd
            while end > 0, end < bytes.count, bytes[end] != 0x0A { end += 1 }
            lexer.cuts.removeAll { $0.upperBound > end }
            lexer.cuts.append(end..<bytes.count)
        }
        return lexer.cuts
    }

    private init(bytes: [UInt8], scope: SourceScanner.Scope, words: NotableWords) {
        (self.bytes, self.scope, self.words) = (bytes, scope, words)
    }

    private func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    /// Reads code up to the end of the file or, in a string interpolation, up to the closing parenthesis.
    private mutating func readCode() throws(Unsure) {
        let depth = open.count
        while index < bytes.count {
            let current = bytes[index]
            switch current {
            case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): push(current)
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
                try pop(current)
                if depth > 0, open.count < depth { return }
            case UInt8(ascii: "\""): try readText(hashes: 0)
            case UInt8(ascii: "/"): try readSlash()
            case UInt8(ascii: "#"): try readHash()
            case UInt8(ascii: "`"): try readQuotedName()
            case UInt8(ascii: "'"): throw Unsure()
            case UInt8(ascii: "<") where byte(index + 1) == UInt8(ascii: "#"): throw Unsure()
            default:
                if current.isNamePart { readName() } else { index += 1 }
            }
        }
        if depth > 0 { throw Unsure() }
    }

    // MARK: Brackets

    private mutating func push(_ kind: UInt8) {
        open.append(Bracket(kind: kind, offset: index, cuts: cuts.count))
        if kind != UInt8(ascii: "{") { parentheses += 1 }
        index += 1
    }

    private mutating func pop(_ closing: UInt8) throws(Unsure) {
        // In ASCII, `)` follows `(` directly, and `]` and `}` are two places after `[` and `{`.
        guard let bracket = open.popLast(), closing &- bracket.kind == (closing == UInt8(ascii: ")") ? 1 : 2)
        else { throw Unsure() }
        if bracket.kind != UInt8(ascii: "{") { parentheses -= 1 }
        if bracket.isNotable {
            notice()
        } else if bracket.kind == UInt8(ascii: "{"), parentheses == 0, mayBeEmptied {
            // A block inside parentheses stays, because it may be part of an argument that a fact quotes.
            cuts.removeSubrange(bracket.cuts...)
            cuts.append(bracket.offset + 1..<index)
        }
        if open.isEmpty, closing == UInt8(ascii: "}") { isExtension = false }
        index += 1
    }

    /// Whether the contents of the block that was just closed may be left out.
    private var mayBeEmptied: Bool {
        switch scope {
        case .imports, .names: true
        // Members of a public extension are public without a modifier.
        case .all: !open.isEmpty || !isExtension
        // No list of words finds everything that an Api must not contain.
        case .api: false
        }
    }

    /// Marks the innermost open bracket as containing a notable word.
    private mutating func notice() {
        if !open.isEmpty { open[open.count - 1].isNotable = true }
    }

    // MARK: Names

    private mutating func readName() {
        let start = index
        while index < bytes.count, bytes[index].isNamePart { index += 1 }
        read(name: start..<index)
    }

    private mutating func readQuotedName() throws(Unsure) {
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "`") {
            if bytes[index] == 0x0A { throw Unsure() }
            index += 1
        }
        guard index < bytes.count else { throw Unsure() }
        read(name: start..<index)
        index += 1
    }

    private mutating func read(name: Range<Int>) {
        let word = bytes[name]
        if isBehindImport {
            // In `import struct A.B`, the name of the module follows the keyword `struct`.
            if !NotableWords.importKinds.contains(word) { isBehindImport = false }
            importsEnd = name.upperBound
        }
        guard words.contains(word) else { return }
        notice()
        if open.isEmpty, NotableWords.extensionWord.contains(word) { isExtension = true }
        if NotableWords.importWord.contains(word) {
            isBehindImport = true
            importsEnd = name.upperBound
        }
    }

    // MARK: Hashes

    private mutating func readHash() throws(Unsure) {
        let start = index
        while byte(index) == UInt8(ascii: "#") { index += 1 }
        switch byte(index) {
        case UInt8(ascii: "\""): try readText(hashes: index - start)
        case UInt8(ascii: "/"): throw Unsure()
        case UInt8(ascii: "!") where start == 0: skipLine()
        default:
            let name = index
            while index < bytes.count, bytes[index].isNamePart { index += 1 }
            if NotableWords.directives.contains(bytes[name..<index]) { notice() }
        }
    }

    // MARK: Comments

    private mutating func readSlash() throws(Unsure) {
        switch byte(index + 1) {
        case UInt8(ascii: "/"): leaveOutComment()
        case UInt8(ascii: "*"): try skipBlockComment()
        // A regular expression literal cannot begin with white space.
        case 0x20, 0x0A, 0x09: index += 1
        default: throw Unsure()
        }
    }

    private mutating func skipLine() {
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    }

    /// Leaves out a line comment, with its whole line if the line contains nothing else.
    private mutating func leaveOutComment() {
        var start = index
        skipLine()
        // Inside parentheses, a comment may be part of an argument that a fact quotes.
        guard parentheses == 0 else { return }
        var lineStart = start
        while lineStart > 0, bytes[lineStart - 1] == 0x20 || bytes[lineStart - 1] == 0x09 { lineStart -= 1 }
        if lineStart == 0 || bytes[lineStart - 1] == 0x0A, index < bytes.count {
            start = lineStart
            index += 1
        }
        if let last = cuts.last, last.upperBound == start {
            cuts[cuts.count - 1] = last.lowerBound..<index
        } else {
            cuts.append(start..<index)
        }
    }

    private mutating func skipBlockComment() throws(Unsure) {
        var depth = 0
        repeat {
            guard index < bytes.count else { throw Unsure() }
            switch (bytes[index], byte(index + 1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): depth += 1; index += 2
            case (UInt8(ascii: "*"), UInt8(ascii: "/")): depth -= 1; index += 2
            default: index += 1
            }
        } while depth > 0
    }

    // MARK: String literals

    private func hasQuotes(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "\"") }
    }

    private func hasHashes(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    /// Reads a string literal, starting at its first quote.
    private mutating func readText(hashes: Int) throws(Unsure) {
        let quotes = hasQuotes(3, at: index) ? 3 : 1
        index += quotes
        if quotes == 3 {
            // A multi-line literal has a newline here. Without a newline, this is a literal such as
            // `#"""#`, which contains one quote.
            while byte(index) == 0x20 { index += 1 }
            guard byte(index) == 0x0A else { throw Unsure() }
        }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\"")
            where hasQuotes(quotes, at: index) && hasHashes(hashes, at: index + quotes):
                index += quotes + hashes
                return
            case UInt8(ascii: "\\") where hasHashes(hashes, at: index + 1):
                index += 1 + hashes
                if byte(index) == UInt8(ascii: "(") {
                    push(UInt8(ascii: "("))
                    try readCode()
                } else {
                    index += 1
                }
            case 0x0A where quotes == 1: throw Unsure()
            default: index += 1
            }
        }
        throw Unsure()
    }
}

extension UInt8 {
    /// Whether this byte can be part of a name or a number.
    fileprivate var isNamePart: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
