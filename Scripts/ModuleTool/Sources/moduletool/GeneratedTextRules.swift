import Foundation
import ModuleEdits
import ModuleRules
import ModuleTree

extension RuleBook {
    /// The rules of the tree, and the rules about text that this tool generates.
    static let all: [any Rule] = rules + [RegistrationsCurrentRule(), DiagramCurrentRule()]
}

/// The Shell's list of modules is the list that `modules registrations` writes.
struct RegistrationsCurrentRule: Rule {
    let id = "registrations-current"
    let group = RuleGroup.registration
    let subject = RuleSubject("list of modules", "lists of modules") { context in
        let path = context.tree.root + "/" + MakeRegistrations.path
        return context.tree.hasLayers && FileManager.default.fileExists(atPath: path) ? 1 : 0
    }
    let why = "the app contains only the listed modules (1-ApiCenter, 如何使用 3)"
    let explanation = """
        \(MakeRegistrations.path) must be as `modules registrations` generates it from the pairs in Package.swift \
        and the routes in their Apis. The rule applies to trees with this file.

        Breaks it:  an edit of the list, or a new pair in Package.swift
        Fix it:     Scripts/registrations
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let root = context.tree.root
        guard try subject.count(context) > 0 else { return [] }
        do {
            try MakeRegistrations().check(HouseRoot(URL(filePath: root, directoryHint: .isDirectory)))
        } catch let error as ToolError where error.kind == .refused {
            return [
                Finding(
                    rule: id, place: SourcePlace(path: MakeRegistrations.path), what: error.what, why: why,
                    fix: "Scripts/registrations")
            ]
        }
        return []
    }
}

/// The diagrams of the tree in READMEs are up to date.
struct DiagramCurrentRule: Rule {
    let id = "diagram-current"
    let group = RuleGroup.layers
    let subject = RuleSubject("diagram") { try PictureInFile.all(in: $0.tree.root).count }
    let needsWholeTree = true
    let why = "a stale diagram misleads its readers"
    let explanation = """
        The diagrams of the tree in README.md and Packages/README.md must show the tree. A diagram is a Mermaid \
        block with the line `\(PictureInFile.mark)`.

        Breaks it:  a new dependency between two packages
        Fix it:     Scripts/modules graph --write Packages/README.md
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let pictures = try PictureInFile.all(in: context.tree.root)
        guard !pictures.isEmpty else { return [] }
        let text = GraphText.mermaid(try GraphView(context))
        return pictures.compactMap { $0.picture.finding(for: text, shownAs: $0.name) }
    }
}
