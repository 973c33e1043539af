import Foundation
import ModuleEdits
import ModuleRules
import ModuleTree

extension RuleBook {
    /// The rules of the tree, and the rules about text that this tool generates.
    static let all: [any Rule] = rules + [RegistrationsCurrentRule(), DiagramCurrentRule()]
}

/// An app's list of modules is the list that `modules registrations` writes.
struct RegistrationsCurrentRule: Rule {
    let id = "registrations-current"
    let group = RuleGroup.registration
    let subject = RuleSubject("list of modules", "lists of modules") { context in
        guard context.tree.hasLayers else { return 0 }
        return context.tree.names.apps.count { app in
            FileManager.default.fileExists(atPath: context.tree.root + "/" + app.registrations)
        }
    }
    let why = "the app contains only the listed modules"
    let source: String? = "1-ApiCenter, 如何使用 3"
    let explanation = """
        The registrations of each app must be as `modules registrations` generates them from the pairs in the \
        app's manifest and the routes in their Apis. The rule applies only if the registrations of every app exist.

        Breaks it:  an edit of the list, or a new pair in Package.swift
        Fix it:     Scripts/modules registrations
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let root = context.tree.root
        let apps = context.tree.names.apps
        guard try subject.count(context) == apps.count,
            // Without a readable list of pairs, the registrations cannot be generated.
            !context.tree.unread.contains(where: { apps.map(\.manifest).contains($0.place.path) })
        else { return [] }
        return try MakeRegistrations().stale(in: HouseRoot(URL(filePath: root, directoryHint: .isDirectory)))
            .map { path, what in
                Finding(
                    rule: id, place: SourcePlace(path: path), what: what, why: why,
                    fix: "Scripts/modules registrations")
            }
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
