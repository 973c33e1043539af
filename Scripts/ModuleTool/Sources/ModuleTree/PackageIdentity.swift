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
        if isClean(path) { return path }
        // Works on bytes for speed, because this function runs for each dependency of each package.
        let (slash, up) = (UInt8(ascii: "/"), "..".utf8)
        let input = Array(path.utf8)
        let first = input.first == slash ? 1 : 0
        var output = Array(input.prefix(first))
        for part in input.split(separator: slash) where !part.elementsEqual(".".utf8) {
            let last = output.lastIndex(of: slash).map { $0 + 1 } ?? 0
            let hasLast = last < output.count
            if part.elementsEqual(up), hasLast ? !output[last...].elementsEqual(up) : first == 1 {
                output.removeSubrange(max(last - 1, first)...)
            } else {
                if hasLast { output.append(slash) }
                output += part
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A fast check whether a path has nothing to resolve. May return false for a path that is already clean.
    private static func isClean(_ path: String) -> Bool {
        var last = UInt8(ascii: "/")
        for byte in path.utf8 {
            if last == UInt8(ascii: "/"), byte == last || byte == UInt8(ascii: ".") { return false }
            last = byte
        }
        return last != UInt8(ascii: "/")
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
