/// What is left of a Swift file without the blocks in which no fact can stand. Spaces replace them, so that all positions
/// stay the same.
///
/// Parsing is most of the work of a check, and most of a file is bodies of functions.
package struct CodeOutline {
    private let bytes: [UInt8]
    private let calls: Set<ArraySlice<UInt8>>
    private let suffix: ArraySlice<UInt8>
    private var outline: [UInt8]
    private var index = 0
    /// The opening braces around the current place, each with whether its block may contain a fact.
    private var blocks: [(start: Int, isNeeded: Bool)] = []
    private var isNextNeeded = false
    /// The number of string literals around the current place, whose interpolations contain each other.
    private var nesting = 0

    /// The file without these blocks. The whole file if it may contain calls that matter, because the types of their
    /// receivers may stand in any block, or if its braces cannot be matched with certainty.
    ///
    /// - Parameters:
    ///   - calls: The words that may belong to such a call.
    ///   - suffix: The end of words that may belong to such a call.
    package static func of(_ bytes: [UInt8], calls: Set<ArraySlice<UInt8>>, suffix: ArraySlice<UInt8>)
        -> [UInt8]
    {
        var reader = CodeOutline(bytes, calls, suffix)
        return reader.readAll() ? reader.outline : bytes
    }

    private init(_ bytes: [UInt8], _ calls: Set<ArraySlice<UInt8>>, _ suffix: ArraySlice<UInt8>) {
        (self.bytes, self.calls, self.suffix, outline) = (bytes, calls, suffix, bytes)
    }

    /// The words of the declarations that are facts.
    private static let words = Set(
        [
            "actor", "class", "enum", "open", "protocol", "public", "route", "struct", "typealias", "_cdecl",
            "_exported", "_silgen_name",
        ].map { Array($0.utf8)[...] })
    private static let extensionWord = Array("extension".utf8)[...]

    private func byte(_ offset: Int = 0) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }

    /// Reads the file. Returns false if the outline cannot be trusted.
    private mutating func readAll() -> Bool {
        while index < bytes.count {
            switch byte() {
            case UInt8(ascii: "{"):
                blocks.append((index, isNextNeeded))
                isNextNeeded = false
                index += 1
            case UInt8(ascii: "}"):
                guard let block = blocks.popLast() else { return false }
                if !block.isNeeded {
                    for index in block.start + 1..<index where bytes[index] != 0x0A { outline[index] = 0x20 }
                } else if !blocks.isEmpty {
                    blocks[blocks.count - 1].isNeeded = true
                }
                index += 1
            default: guard readToken() else { return false }
            }
        }
        return blocks.isEmpty
    }

    /// Reads a comment, a string, a word or one other byte. Returns false for what may be a regular expression.
    private mutating func readToken() -> Bool {
        switch byte() {
        case UInt8(ascii: "/"):
            if byte(1) == UInt8(ascii: "/") {
                while index < bytes.count, byte() != 0x0A { index += 1 }
            } else if byte(1) == UInt8(ascii: "*") {
                readComment()
            } else {
                let isDivision =
                    index > 0 && (Self.isWord(bytes[index - 1]) || ")]".utf8.contains(bytes[index - 1]))
                guard isDivision || [0x20, 0x0A].contains(byte(1)) else { return false }
                index += 1
            }
        case UInt8(ascii: "#"), UInt8(ascii: "\""):
            let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
            index += hashes
            if byte() == UInt8(ascii: "\"") { return readString(hashes) }
            return hashes == 0 || byte() != UInt8(ascii: "/")
        case let first where Self.isWord(first):
            let word = bytes[index...].prefix(while: Self.isWord)
            index += word.count
            if calls.contains(word) || word.suffix(suffix.count) == suffix { return false }
            if word == Self.extensionWord { isNextNeeded = true }
            // The attribute `@c` is no word to look for without its sign.
            let isAttribute =
                word.first == UInt8(ascii: "c") && word.count == 1 && bytes[..<word.startIndex].last == 0x40
            if isAttribute || Self.words.contains(word), !blocks.isEmpty {
                blocks[blocks.count - 1].isNeeded = true
            }
        default: index += 1
        }
        return true
    }

    /// Whether a byte is a part of a word. Bytes above 0x7F belong to letters of other scripts.
    static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
            || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private mutating func readComment() {
        var depth = 0
        repeat {
            let (first, second) = (byte(), byte(1))
            let isStart = first == UInt8(ascii: "/") && second == UInt8(ascii: "*")
            let isEnd = first == UInt8(ascii: "*") && second == UInt8(ascii: "/")
            depth += isStart ? 1 : isEnd ? -1 : 0
            index += isStart || isEnd ? 2 : 1
        } while depth > 0 && index < bytes.count
    }

    /// Reads a string literal from its first quotation mark on.
    private mutating func readString(_ hashes: Int) -> Bool {
        let quote = UInt8(ascii: "\"")
        let length = byte(1) == quote && byte(2) == quote ? 3 : 1
        let marks = Array(repeating: UInt8(ascii: "#"), count: hashes)
        let end = Array(repeating: quote, count: length) + marks
        index += length
        while index < bytes.count {
            if byte() == quote, bytes[index...].starts(with: end) {
                index += end.count
                return true
            }
            if byte() == UInt8(ascii: "\\"), bytes[(index + 1)...].starts(with: marks) {
                index += 1 + hashes
                if byte() == UInt8(ascii: "("), !readInterpolation() { return false }
            } else if byte() == 0x0A, length == 1 {
                return false
            }
            index += 1
        }
        return false
    }

    /// Reads up to the parenthesis that closes an interpolation.
    private mutating func readInterpolation() -> Bool {
        nesting += 1
        defer { nesting -= 1 }
        var depth = 0
        while index < bytes.count, nesting < 64 {
            switch byte() {
            case UInt8(ascii: "("): (depth, index) = (depth + 1, index + 1)
            case UInt8(ascii: ")") where depth == 1: return true
            case UInt8(ascii: ")"): (depth, index) = (depth - 1, index + 1)
            default: guard readToken() else { return false }
            }
        }
        return false
    }
}
