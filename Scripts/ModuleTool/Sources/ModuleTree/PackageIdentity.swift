/// The identity that SwiftPM gives a package: the last component of its path or URL, in lower case.
enum PackageIdentity {
    static func of(_ address: String) -> String {
        var parts = address.split(separator: "/")
        while let last = parts.last, last == "." { parts.removeLast() }
        var last = parts.last.map(String.init) ?? address
        if last.hasSuffix(".git") { last.removeLast(4) }
        return last.lowercased()
    }
}

/// The module name that SwiftPM derives from a target's name: every invalid character becomes `_`.
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

/// Operations on paths as text, without access to the file system.
enum PathText {
    /// Appends `path` to `base`, and resolves `.` and `..`.
    static func join(_ base: String, _ path: String) -> String {
        path.hasPrefix("/") ? clean(path) : clean(base.isEmpty ? path : base + "/" + path)
    }

    static func clean(_ path: String) -> String {
        var parts: [Substring.UTF8View] = []
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        for part in path.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            if !part.elementsEqual("..".utf8) || (parts.last?.elementsEqual("..".utf8) ?? !isAbsolute) {
                parts.append(part)
            } else {
                _ = parts.popLast()
            }
        }
        return (isAbsolute ? "/" : "") + parts.map { Substring($0) }.joined(separator: "/")
    }

    /// Resolves `path` from a folder of `root`. The result is relative to `root`, or nil if it is outside
    /// `root`.
    static func relative(_ path: String, from folder: String, in root: String) -> String? {
        let joined = join(folder, path)
        guard joined.hasPrefix("/") || joined.hasPrefix("..") else { return joined }
        // The path may leave the root and enter it again.
        let absolute = join(root, joined)
        if absolute == root { return "" }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        return absolute.hasPrefix(prefix) ? String(absolute[prefix.endIndex...]) : nil
    }

    /// The relative path from a folder to a path, both absolute.
    static func path(to path: String, from folder: String) -> String {
        let (target, base) = (clean(path).split(separator: "/"), clean(folder).split(separator: "/"))
        let common = zip(target, base).prefix { $0 == $1 }.count
        return (base[common...].map { _ in ".." } + target[common...]).joined(separator: "/")
    }
}
