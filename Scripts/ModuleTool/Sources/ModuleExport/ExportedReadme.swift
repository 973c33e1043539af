import Foundation
import ModuleVersions

/// What an outsider reads first: what the package is, how to depend on it, and what changed in it.
struct ExportedReadme {
    let package: ExportedPackage
    let set: ExportSet
    let addresses: AddressTemplate

    /// The comment that says what the package is for, and the file of the tree that has it.
    ///
    /// - Parameter files: The package's files, by path.
    func comment(in files: [String: Data]) -> (comment: MainComment, place: String)? {
        let sources = files.filter { $0.key.hasPrefix("Sources/") && $0.key.hasSuffix(".swift") }
        for (path, data) in sources.sorted(by: { $0.key < $1.key }) {
            let names = [package.name, package.name + "Protocol"]
            if let comment = MainComment(of: names, in: String(decoding: data, as: UTF8.self)) {
                return (comment, "\(package.source.path)/\(path)")
            }
        }
        return nil
    }

    /// Where the change notes are in the tree.
    var placeOfNotes: String { "VERSIONS.md, \(package.source.pairName)" }

    /// The README of a package that has none.
    func text(_ comment: MainComment?) -> String {
        let parts = [
            "# \(package.name)", purpose(comment?.summary), usage, comment?.discussion ?? "",
            "Exported from a monorepo, with the version as its tag: changes are made there.",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// The package's own README, with how to depend on it behind its first paragraph.
    func text(own: String) -> String {
        let block = "\(Self.begin)\n\n\(usage)\n\n\(Self.end)\n"
        guard own.hasPrefix("# "), let place = Self.endOfFirstParagraph(in: own) else {
            return own.trimmingSuffix("\n") + "\n\n" + block
        }
        return own[..<place.lowerBound] + "\n\n" + block + "\n" + own[place.upperBound...]
    }

    /// The empty line behind the title and one paragraph more, or the next that is not in code.
    private static func endOfFirstParagraph(in text: String) -> Range<String.Index>? {
        var fence = CodeFence()
        var start = text.startIndex
        for (index, gap) in text.ranges(of: "\n\n").enumerated() {
            for line in text[start..<gap.lowerBound].split(separator: "\n") { _ = fence.read(line) }
            start = gap.upperBound
            if index > 0, !fence.isOpen { return gap }
        }
        return nil
    }

    /// A README without what an export put into it.
    static func own(_ text: String) -> String {
        guard let start = text.firstRange(of: "\n\n" + begin), let stop = text.firstRange(of: end + "\n")
        else {
            return text
        }
        return text[..<start.lowerBound] + "\n" + text[stop.upperBound...]
    }

    private static let begin = "<!-- Written by Scripts/modules export: -->"
    private static let end = "<!-- Up to here. -->"

    private func purpose(_ summary: String?) -> String {
        let pair = package.source.pairName
        switch package.source.role {
        case .imp where package.api == pair + "Api":
            return """
                The implementation of a module. Nobody but an app depends on it, and an app has it by its Api's \
                product `\(pair)ApiWithImp`: what \(pair) does for callers, and what changed, the Api's package says.
                """
        case .imp:
            return """
                Another implementation of \(package.api ?? "an Api"). Nobody but an app depends on it, and registers \
                its `\(pair)Module`. What it does for callers, and what changed, the Api's package says.
                """
        case .api:
            return (summary ?? "What other modules may ask of \(pair).") + """
                \n
                Callers link `\(package.name)`: protocols alone. The app links `\(package.name)WithImp`, which brings the \
                implementation that this version works with, or a later one, and has `\(pair)Module` to register it.
                """
        case .plain, .facade, .app, .other:
            return summary ?? firstNote ?? "A library."
        }
    }

    /// What the first release's note says that it brought.
    private var firstNote: String? {
        guard let note = package.notes.last?.text.split(separator: "\n\n").first,
            let text = note.wholeMatch(of: /- First release: ((?s).*)/)?.1
        else { return nil }
        return "A library: "
            + text.split(separator: "\n").map { $0.trimmingPrefix("  ") }.joined(separator: "\n")
    }

    /// How to depend on it. The fence is one of those that no README's test takes for code of the package.
    private var usage: String {
        // An app depends on an IMP by its Api, where it can.
        let entry = package.api.flatMap { $0 == package.name + "Api" ? set.package($0) : nil } ?? package
        let address = addresses.address(of: entry.name)
        var lines = [
            "// dependencies of the package:", ".package(url: \"\(address)\", from: \"\(entry.version)\"),",
        ]
        if package.source.role != .imp {
            lines += ["// dependencies of a target that calls it:"] + products.map { product($0, of: entry) }
        }
        if entry.imp != nil {
            lines += ["// dependencies of the app:", product(ExportedPackage.withImp(entry.name), of: entry)]
        } else if package.source.role == .imp {
            lines += ["// dependencies of the app:", product(entry.name, of: entry)]
        }
        let changes = package.notes.isEmpty ? "" : "\n\nWhat changed is in [CHANGES.md](CHANGES.md)."
        return "~~~swift\n" + lines.joined(separator: "\n") + "\n~~~" + changes
    }

    private var products: [String] { package.source.manifest.products.map(\.name) }

    private func product(_ name: String, of package: ExportedPackage) -> String {
        ".product(name: \"\(name)\", package: \"\(package.name)\"),"
    }

    /// The change notes, newest first.
    var changes: String {
        "# Changes\n"
            + package.notes.map { "\n## \($0.version)\n" + ($0.text.isEmpty ? "" : "\n\($0.text)\n") }
            .joined()
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
