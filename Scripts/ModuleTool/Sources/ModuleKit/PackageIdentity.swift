/// The identity that SwiftPM gives a package: the last component of its path or URL, in lower case.
package enum PackageIdentity {
    package static func of(_ address: String) -> String { name(address).lowercased() }

    /// The last component of a path or URL.
    package static func name(_ address: String) -> String {
        var parts = address.split(separator: "/")
        while let last = parts.last, last == "." { parts.removeLast() }
        var last = parts.last.map(String.init) ?? address
        if last.hasSuffix(".git") { last.removeLast(4) }
        return last
    }
}

/// The module name that SwiftPM derives from a target's name: every invalid character becomes `_`.
package enum ModuleIdentifier {
    package static func of(_ target: String) -> String {
        var scalars = target.unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "\u{80}"...: scalar
            default: "_" as Unicode.Scalar
            }
        }
        if let first = scalars.first, "0"..."9" ~= first { scalars[0] = "_" }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// Operations on paths as text, without access to the file system.
package enum PathText {
    /// Appends `path` to `base`, and resolves `.` and `..`.
    package static func join(_ base: String, _ path: String) -> String {
        path.hasPrefix("/") ? clean(path) : clean(base.isEmpty ? path : base + "/" + path)
    }

    package static func clean(_ path: String) -> String {
        var parts: [Substring] = []
        let isAbsolute = path.hasPrefix("/")
        for part in path.split(separator: "/") where part != "." {
            if part != ".." || (parts.last.map { $0 == ".." } ?? !isAbsolute) {
                parts.append(part)
            } else {
                _ = parts.popLast()
            }
        }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    /// Resolves `path` from a folder of `root`. The result is relative to `root`, or nil if it is outside
    /// `root`.
    package static func relative(_ path: String, from folder: String, in root: String) -> String? {
        let joined = join(folder, path)
        guard joined.hasPrefix("/") || joined.hasPrefix("..") else { return joined }
        // The path may leave the root and return to it.
        let absolute = join(root, joined)
        if absolute == root { return "" }
        let prefix = root.hasSuffix("/") ? root : root + "/"
        return absolute.hasPrefix(prefix) ? String(absolute[prefix.endIndex...]) : nil
    }

    /// A package's manifest.
    package static func manifest(in folder: String) -> String { join(folder, "Package.swift") }

    /// The last component of a path, and the folder around it, which is "" for a path of one component.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// A path and the folders around it, innermost first, without the root.
    package static func upward(_ path: String) -> some Sequence<String> {
        sequence(first: path) { split($0).folder }.prefix { !$0.isEmpty }
    }

    /// The relative path from a folder to a path, both absolute.
    package static func path(to path: String, from folder: String) -> String {
        let (target, base) = (clean(path).split(separator: "/"), clean(folder).split(separator: "/"))
        let common = zip(target, base).prefix { $0 == $1 }.count
        return (base[common...].map { _ in ".." } + target[common...]).joined(separator: "/")
    }

    /// The innermost folder that contains all these paths, or is one of them; "" for the root.
    package static func common(_ paths: [String]) -> String {
        let all = paths.map { $0.split(separator: "/") }
        let first = all.first ?? []
        let count = all.map { zip($0, first).prefix { $0 == $1 }.count }.min() ?? 0
        return first.prefix(count).joined(separator: "/")
    }
}
