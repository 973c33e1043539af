import Foundation
import ModuleVersions

/// Generates the README of an exported package, or adds installation instructions to the package's own
/// README.
struct ExportedReadme {
    let package: ExportedPackage
    let set: ExportSet
    let addresses: AddressTemplate

    /// The doc comment that describes the package, and the path of its file in the tree.
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

    /// The place of the change notes in the tree, for errors.
    var placeOfNotes: String { "\(package.source.path)/\(Changelog.name)" }

    /// The generated README, for a package without its own.
    func text(_ comment: MainComment?) -> String {
        let parts = [
            "# \(package.name)", purpose(comment?.summary), usage, comment?.discussion ?? "",
            "Exported from a monorepo, where all changes are made. The tag is the version.",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// The package's own README, with the generated installation block after the first paragraph.
    func text(own: String) -> String {
        let block = "\(Self.begin)\n\n\(usage)\n\n\(Self.end)\n"
        guard own.hasPrefix("# "), let place = Self.endOfFirstParagraph(in: own) else {
            return own.trimmingSuffix("\n") + "\n\n" + block
        }
        return own[..<place.lowerBound] + "\n\n" + block + "\n" + own[place.upperBound...]
    }

    /// The empty line after the title and the first paragraph, or the next empty line outside a code block.
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

    /// A README without the generated block.
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
                The implementation of a module. Only apps link it, through the product `\(pair)ApiWithImp` of its Api. \
                The Api's package describes what \(pair) offers to callers and what changed.
                """
        case .imp:
            return """
                Another implementation of \(package.api ?? "an Api"). Only apps depend on it, and register its \
                `\(pair)Module`. The Api's package describes what the module offers to callers and what changed.
                """
        case .api:
            return (summary ?? "What other modules may ask of \(pair).") + """
                \n
                Callers link `\(package.name)`, which contains only protocols. The app links `\(package.name)WithImp`, \
                which also links a compatible implementation, and registers it with `\(pair)Module`.
                """
        case .plain, .facade, .app, .other:
            return summary ?? firstNote ?? "A library."
        }
    }

    /// The contents of the first release, taken from its change note.
    private var firstNote: String? {
        guard let note = package.notes.last?.text.split(separator: "\n\n").first,
            let text = note.wholeMatch(of: /- First release: ((?s).*)/)?.1
        else { return nil }
        return "A library: "
            + text.split(separator: "\n").map { $0.trimmingPrefix("  ") }.joined(separator: "\n")
    }

    /// The installation instructions. The code fence is `~~~`, because tests of READMEs check the backtick
    /// fences.
    private var usage: String {
        // Apps depend on an IMP through its Api, unless the IMP is an alternative.
        let entry = package.api.flatMap { $0 == package.name + "Api" ? set.package($0) : nil } ?? package
        let address = addresses.address(of: entry.name)
        var lines = [
            "// Package dependencies:", ".package(url: \"\(address)\", from: \"\(entry.version)\"),",
        ]
        if package.source.role != .imp {
            lines += ["// Dependencies of a target that calls it:"] + products.map { product($0, of: entry) }
        }
        if entry.imp != nil {
            lines += ["// Dependencies of the app:", product(ExportedPackage.withImp(entry.name), of: entry)]
        } else if package.source.role == .imp {
            lines += ["// Dependencies of the app:", product(entry.name, of: entry)]
        }
        let changes =
            package.notes.isEmpty ? "" : "\n\nWhat changed is in [\(Changelog.name)](\(Changelog.name))."
        return "~~~swift\n" + lines.joined(separator: "\n") + "\n~~~" + changes
    }

    private var products: [String] { package.source.manifest.products.map(\.name) }

    private func product(_ name: String, of package: ExportedPackage) -> String {
        ".product(name: \"\(name)\", package: \"\(package.name)\"),"
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
