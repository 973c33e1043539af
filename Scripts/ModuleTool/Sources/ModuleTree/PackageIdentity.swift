/// How SwiftPM tells packages apart: by the last part of their path or address, without regard to case.
enum PackageIdentity {
    static func of(_ address: String) -> String {
        var parts = address.split(separator: "/")
        while let last = parts.last, last == "." { parts.removeLast() }
        var last = parts.last.map(String.init) ?? address
        if last.hasSuffix(".git") { last.removeLast(4) }
        return last.lowercased()
    }
}

/// How SwiftPM makes a target's name an identifier: what may not stand in one becomes `_`.
enum ModuleIdentifier {
    static func of(_ target: String) -> String {
        if target.utf8.allSatisfy(isPart), target.utf8.first.map({ !isDigit($0) }) ?? true { return target }
        var name = target.utf8.map { isPart($0) ? $0 : UInt8(ascii: "_") }
        if let first = name.first, isDigit(first) { name[0] = UInt8(ascii: "_") }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), 0x80...:
            true
        default: isDigit(byte)
        }
    }
}

/// Paths as text, without asking the file system.
enum PathText {
    /// `base` with `path` appended, `.` and `..` taken out.
    static func join(_ base: String, _ path: String) -> String {
        path.hasPrefix("/") ? clean(path) : clean(base.isEmpty ? path : base + "/" + path)
    }

    static func clean(_ path: String) -> String {
        if isClean(path) { return path }
        // By bytes: it is done for each dependency of each package.
        let (slash, up) = (UInt8(ascii: "/"), "..".utf8)
        let isAbsolute = path.utf8.first == slash
        var parts: [Substring.UTF8View] = []
        for part in path.utf8.split(separator: slash) where !part.elementsEqual(".".utf8) {
            if !part.elementsEqual(up) {
                parts.append(part)
            } else if let last = parts.last, !last.elementsEqual(up) {
                parts.removeLast()
            } else if !isAbsolute {
                parts.append(part)
            }
        }
        return (isAbsolute ? "/" : "") + parts.map { Substring($0) }.joined(separator: "/")
    }

    /// Whether there is nothing to take out. May be false for a path that is clean.
    private static func isClean(_ path: String) -> Bool {
        var last = UInt8(ascii: "/")
        for byte in path.utf8 {
            if last == UInt8(ascii: "/"), byte == last || byte == UInt8(ascii: ".") { return false }
            last = byte
        }
        return last != UInt8(ascii: "/")
    }

    /// `path` without `root` before it, or nil when it lies elsewhere.
    static func relative(_ path: String, to root: String) -> String? {
        if path == root { return "" }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }
}
