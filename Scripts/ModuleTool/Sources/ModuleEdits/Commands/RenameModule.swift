import Foundation
import ModuleTree
import ModuleVersions
import SwiftSyntax

/// Renames a pair everywhere: `modules rename Ride Trip`.
package struct RenameModule: Edit, Sendable {
    let name: String
    let new: String

    package init(_ name: String, to new: String) { (self.name, self.new) = (name, new) }

    package var command: String { "rename \(name) \(new)" }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        var lists = try root.pairLists()
        let pair = try lists.pair(name)
        try ModuleName.validate(new, root.configuration)
        let tree = try root.tree()
        try ModuleName.validateIsFree(new, in: tree, folders: root.packageFolders())
        let remotes = RemotePackage.generated(in: root).filter { $0.pair == name }.map(\.folder)
        if !remotes.isEmpty {
            try ModuleName.validateIsFree(
                new + RemotePackage.suffix, in: tree, folders: root.packageFolders())
        }
        let folders = root.folders(of: pair) + remotes
        let changed = try GitRepository.uncommitted(in: folders, root: root.url.path) ?? []
        let unknown = try RemoveModule.unknownFiles(among: changed, of: pair, lists, root)
        guard unknown.isEmpty else {
            throw ToolError(
                .refused, "the pair has uncommitted work:" + unknown.map { "\n  \($0)" }.joined(),
                why: "This work could not be told apart from the changes of the rename.",
                fix: "Commit these files first.")
        }
        let packages = folders.compactMap(tree.package(in:))
        var files = try RenamedFiles(root, tree, of: packages)
        let links = files.links(to: folders)
        guard links.isEmpty else {
            throw ToolError(
                .refused, "symbolic links point to the pair:" + links.map { "\n  \($0)" }.joined(),
                why: "The rename would break them, because it moves the files.",
                fix: "Remove them first, and recreate them with the new names.")
        }
        var names = NewNames(name, to: new, in: pair.folder, of: packages, root.configuration)
        let routes = try root.routes(of: lists.pairs)
        for index in lists.indices {
            guard let pair = lists[index].pairs.first(where: { $0.name == name }) else { continue }
            try lists[index].remove(name)
            try lists[index].add(
                folder: names.folder(pair.folder), alternativeTo: pair.alternativeTo, trait: pair.sharedTrait)
        }
        try files.replace(
            &names, Dictionary(lists.map { ($0.app.manifest, $0.text) }, uniquingKeysWith: { $1 }))
        let newRoutes = routes.map { pair, routes in
            (pair == name ? new : pair, routes.map { names.replaced(in: $0, isProse: false) })
        }
        for list in lists {
            let new = try PairList(files.changed[list.app.manifest] ?? list.text, of: list.app)
            let registrations = RegistrationsFile(
                pairs: new.pairs, routes: Dictionary(uniqueKeysWithValues: newRoutes),
                configuration: root.configuration)
            files.changed[list.app.registrations] = registrations.text(manifest: list.app.manifest)
        }
        files.changed[VersionsFile.path] = try versions(root).text
        let owner = lists.pairs.first { $0.name == pair.alternativeTo } ?? pair
        let notes = root.configuration.api(owner.folder) + "/" + Changelog.name
        var changelog = root.exists(notes) ? Changelog(try root.text(notes)) : Changelog()
        changelog.add(note(pair, root.configuration))
        files.changed[notes] = changelog.text
        return EditPlan(
            "Renamed \(name) to \(new): \(folders.map(names.folder).joined(separator: ", ")).",
            changes: try files.changes() + moves(folders, names, root), next: try next(files, names, folders))
    }

    /// The versions continue under the new name. For callers outside this tree, the renamed Api is a new package.
    private func versions(_ root: HouseRoot) throws -> VersionsFile {
        var versions = try root.versionsFile()
        guard var row = versions.row(of: name) else { return versions }
        versions = versions.without(name)
        (row.module, row.line) = (new, 0)
        versions = versions.with(row)
        if let library = versions.library(name + RemotePackage.suffix) {
            versions = versions.without(library.name)
                .with(.init(name: new + RemotePackage.suffix, version: library.version))
        }
        for var other in versions.rows {
            guard case .of(name) = other.api else { continue }
            other.api = .of(new)
            versions = versions.with(other)
        }
        return versions
    }

    private func note(_ pair: PairList.Pair, _ configuration: Configuration) -> String {
        if pair.alternativeTo != nil {
            return "\(name), an implementation of this Api, is now called \(new)."
        }
        return
            "\(name) is now called \(new). Callers depend on \(configuration.api(new)) instead of "
            + "\(configuration.api(name)), and use the new names of its types; nothing else changed."
    }

    /// The moves of the pair's folders and, below them, of folders and files with the pair's names.
    private func moves(_ folders: [String], _ names: NewNames, _ root: HouseRoot) throws(ToolError)
        -> [Change]
    {
        var moves: [Change] = []
        for folder in folders {
            let target = names.folder(folder)
            moves.append(.move(path: folder, to: target))
            var moved: Set<String> = []
            var taken: [String: String] = [:]
            for file in root.files(in: folder) {
                let inside = file.dropFirst(folder.count + 1)
                if let other = taken.updateValue(file, forKey: names.path(inside)) {
                    throw ToolError(
                        .refused, at: file, "this file and \(other) would get the same name.",
                        why: "A folder cannot contain two files with the same name.",
                        fix: "Rename one of the two files first.")
                }
                let parts = inside.split(separator: "/")
                for depth in parts.indices {
                    let around = names.path(parts[..<depth].joined(separator: "/")[...])
                    let before = ([target, around, String(parts[depth])]).filter { !$0.isEmpty }.joined(
                        separator: "/")
                    let after = [target, names.path(parts[...depth].joined(separator: "/")[...])].joined(
                        separator: "/")
                    if before != after, moved.insert(before).inserted {
                        moves.append(.move(path: before, to: after))
                    }
                }
            }
        }
        return moves
    }

    private func next(_ files: RenamedFiles, _ names: NewNames, _ folders: [String]) throws -> [String] {
        // Only the pair's own files move.
        func moved(_ place: String) -> String {
            guard let folder = folders.first(where: { place.hasPrefix($0 + "/") }) else { return place }
            return names.folder(folder) + "/" + names.path(place.dropFirst(folder.count + 1))
        }
        func shown(_ places: [String]) -> String {
            places.prefix(10).joined(separator: ", ")
                + (places.count > 10 ? ", and \(places.count - 10) more" : "")
        }
        var next: [String] = []
        if !files.literals.isEmpty {
            next.append(
                "Check these strings, which contained only the name; stored data may need the old one: "
                    + shown(files.literals.map(moved)))
        }
        let mentions = try files.mentions(of: name).map(moved)
        if !mentions.isEmpty { next.append("These files still mention \(name): \(shown(mentions))") }
        next.append(
            "Raise the versions of the callers: Scripts/modules release --note \"\(name) is now called \(new).\""
        )
        return next
    }
}
