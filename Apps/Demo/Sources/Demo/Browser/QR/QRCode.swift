/// A QR code of a short text (ISO/IEC 18004), by hand, because the sample links no third-party package.
///
/// Only what a ride code needs: version 2 (25 x 25 modules), level Q, alphanumeric mode. It holds up to 29 characters of
/// `0...9`, `A...Z` and ` $%*+-./:`.
struct QRCode: Sendable {
    static let size = 25
    private static let dataCount = 22
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    /// The rows of modules; true is dark.
    private(set) var rows: [[Bool]]
    /// The modules that hold no data.
    private var isFixed: [[Bool]]

    /// Encodes a text; nil if it is too long, or contains other characters.
    init?(_ text: String) {
        guard let data = Self.codewords(of: text) else { return nil }
        rows = Array(repeating: Array(repeating: false, count: Self.size), count: Self.size)
        isFixed = rows
        drawPatterns()
        draw(data + ReedSolomon.check(data, count: 22))
        // The mask whose penalty is the lowest is the easiest to read.
        let masked = (0..<8).map { mask in
            var code = self
            code.apply(mask)
            return code
        }
        self = masked.min { $0.penalty < $1.penalty } ?? self
    }

    /// The data codewords: mode, length, characters in pairs, terminator and padding.
    private static func codewords(of text: String) -> [UInt8]? {
        let values = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
        guard values.count == text.utf8.count, values.count <= 29 else { return nil }
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(0b0010, 4)
        append(values.count, 9)
        for start in stride(from: 0, to: values.count, by: 2) {
            if start + 1 < values.count {
                append(values[start] * 45 + values[start + 1], 11)
            } else {
                append(values[start], 6)
            }
        }
        let capacity = dataCount * 8
        bits += Array(repeating: false, count: min(4, capacity - bits.count))
        bits += Array(repeating: false, count: (8 - bits.count % 8) % 8)
        var bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<(dataCount - bytes.count) { bytes.append(index % 2 == 0 ? 0xEC : 0x11) }
        return bytes
    }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard rows.indices.contains(y), rows.indices.contains(x) else { return }
        rows[y][x] = isDark
        isFixed[y][x] = true
    }

    /// Draws the finder, timing and alignment patterns, and reserves the format's modules.
    private mutating func drawPatterns() {
        for index in 0..<Self.size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (Self.size - 4, 3), (3, Self.size - 4)] {
            for dy in -4...4 {
                for dx in -4...4 {
                    let distance = max(abs(dx), abs(dy))
                    set(x + dx, y + dy, distance != 2 && distance != 4)
                }
            }
        }
        for dy in -2...2 {
            for dx in -2...2 { set(18 + dx, 18 + dy, max(abs(dx), abs(dy)) != 1) }
        }
        drawFormat(mask: 0)
    }

    /// Draws the two copies of the error level and the mask.
    private mutating func drawFormat(mask: Int) {
        // Level Q is 3.
        let data = 3 << 3 | mask
        var rest = data
        for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
        let bits = (data << 10 | rest) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(Self.size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, Self.size - 15 + index, bit(index)) }
        set(8, Self.size - 8, true)
    }

    /// Draws the codewords in columns of two modules, from the right, upwards and downwards in turn.
    private mutating func draw(_ codewords: [UInt8]) {
        var index = 0
        for right in [24, 22, 20, 18, 16, 14, 12, 10, 8, 5, 3, 1] {
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<Self.size {
                for x in [right, right - 1] {
                    let y = isUpward ? Self.size - 1 - step : step
                    guard !isFixed[y][x] else { continue }
                    if index < codewords.count * 8 {
                        rows[y][x] = codewords[index / 8] >> (7 - index % 8) & 1 == 1
                    }
                    index += 1
                }
            }
        }
    }

    private mutating func apply(_ mask: Int) {
        drawFormat(mask: mask)
        for y in 0..<Self.size {
            for x in 0..<Self.size where !isFixed[y][x] {
                let isInverted =
                    switch mask {
                    case 0: (x + y) % 2 == 0
                    case 1: y % 2 == 0
                    case 2: x % 3 == 0
                    case 3: (x + y) % 3 == 0
                    case 4: (x / 3 + y / 2) % 2 == 0
                    case 5: x * y % 2 + x * y % 3 == 0
                    case 6: (x * y % 2 + x * y % 3) % 2 == 0
                    default: ((x + y) % 2 + x * y % 3) % 2 == 0
                    }
                if isInverted { rows[y][x].toggle() }
            }
        }
    }

    /// How hard the code is to read: long runs, blocks, patterns like a finder, and too much of one colour.
    private var penalty: Int {
        let columns = rows.indices.map { x in rows.map { $0[x] } }
        var penalty = 0
        for line in rows + columns {
            var run = 0
            var last: Bool?
            for module in line {
                run = module == last ? run + 1 : 1
                last = module
                penalty += run == 5 ? 3 : run > 5 ? 1 : 0
            }
            let text = line.map { $0 ? "1" : "0" }.joined()
            for finder in ["00001011101", "10111010000"] { penalty += 40 * text.ranges(of: finder).count }
        }
        for y in 1..<Self.size {
            for x in 1..<Self.size {
                let block = [rows[y][x], rows[y - 1][x], rows[y][x - 1], rows[y - 1][x - 1]]
                if Set(block).count == 1 { penalty += 3 }
            }
        }
        let dark = rows.joined().count { $0 } * 100 / (Self.size * Self.size)
        return penalty + abs(dark - 50) / 5 * 10
    }
}

/// The error correction of QR codes: Reed-Solomon over the field of 256 elements with the polynomial 0x11D.
private enum ReedSolomon {
    static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            product ^= Int(right) >> bit & 1 == 1 ? Int(left) : 0
        }
        return UInt8(truncatingIfNeeded: product)
    }

    /// The check codewords of data: the remainder of its division by the generator polynomial.
    static func check(_ data: [UInt8], count: Int) -> [UInt8] {
        var generator = Array(repeating: UInt8(0), count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                generator[index] = multiply(generator[index], root)
                if index + 1 < count { generator[index] ^= generator[index + 1] }
            }
            root = multiply(root, 2)
        }
        var rest = Array(repeating: UInt8(0), count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in 0..<count { rest[index] ^= multiply(generator[index], factor) }
        }
        return rest
    }
}
