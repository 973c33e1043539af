import Foundation

/// A shared scheme of an Xcode project or workspace.
package struct XcodeScheme: Sendable {
    /// A target, identified by its name and the path of its project or package, relative to the root.
    package struct Member: Sendable, Hashable {
        package let container: String
        package let target: String

        package init(container: String, target: String) {
            (self.container, self.target) = (container, target)
        }
    }

    package let name: String
    /// The project or the workspace to open, relative to the root.
    package let container: String
    package private(set) var builds: Set<Member> = []
    package private(set) var tests: Set<Member> = []

    /// The shared schemes of a tree's projects, and of the workspaces that contain these projects.
    package static func all(in tree: Tree) -> [XcodeScheme] {
        let workspaces = workspaces(of: tree)
        let containers = Set(workspaces.values).union(tree.packages.filter(\.isProject).map(\.path))
        return containers.sorted().flatMap { container in
            let folder = container + "/xcshareddata/xcschemes"
            let files = try? FileManager.default.contentsOfDirectory(atPath: tree.root + "/" + folder)
            return (files ?? []).filter { $0.hasSuffix(".xcscheme") }.sorted().compactMap { file in
                text(folder + "/" + file, in: tree).map { text in
                    XcodeScheme(
                        String(file.dropLast(9)), text, of: container, in: workspaces[container] ?? container,
                        tree: tree)
                }
            }
        }
    }

    /// For each project that a workspace contains, the path of the workspace.
    package static func workspaces(of tree: Tree) -> [String: String] {
        let projects = tree.packages.filter(\.isProject).map(\.path)
        let folders = Set(
            projects.flatMap { project in
                sequence(first: PathText.split(project).folder) {
                    $0.isEmpty ? nil : PathText.split($0).folder
                }
            })
        var found: [String: String] = [:]
        for folder in folders.sorted() {
            let names = try? FileManager.default.contentsOfDirectory(atPath: tree.root + "/" + folder)
            for name in (names ?? []).sorted() where name.hasSuffix(".xcworkspace") {
                let path = PathText.join(folder, name)
                for member in members(
                    of: text(path + "/contents.xcworkspacedata", in: tree) ?? "", in: folder)
                where projects.contains(member) { found[member] = path }
            }
        }
        return found
    }

    /// The paths in a workspace. A path may be relative to the folder of its group.
    private static func members(of text: String, in folder: String) -> [String] {
        var folders = [folder]
        return text.matches(of: /<(Group|FileRef|\/Group)\b([^>]*)>/).compactMap { match in
            if match.1 == "/Group" {
                if folders.count > 1 { folders.removeLast() }
                return nil
            }
            let parts = (attributes(match.2)["location"] ?? "").split(separator: ":", maxSplits: 1)
            let base = parts.first == "container" ? folder : folders.last ?? folder
            let path = PathText.join(base, parts.count > 1 ? String(parts[1]) : "")
            if match.1 == "Group" { folders.append(path) }
            return path
        }
    }

    private init(_ name: String, _ text: String, of owner: String, in container: String, tree: Tree) {
        (self.name, self.container) = (name, container)
        let folder = PathText.split(owner).folder
        func path(_ reference: String?) -> String {
            PathText.join(folder, reference.map { String($0.trimmingPrefix("container:")) } ?? "")
        }
        var (isBuilt, isTested) = (false, false)
        for match in text.matches(
            of: /<(\/?BuildAction|TestableReference|BuildableReference|TestPlanReference)\b([^>]*)>/)
        {
            let values = Self.attributes(match.2)
            switch match.1 {
            case "BuildAction": isBuilt = true
            case "/BuildAction": isBuilt = false
            case "TestableReference": isTested = values["skipped"] != "YES"
            case "TestPlanReference":
                tests.formUnion(Self.tests(inPlan: path(values["reference"]), tree: tree, path))
            default:
                guard let target = values["BlueprintName"] else { continue }
                let member = Member(container: path(values["ReferencedContainer"]), target: target)
                if isBuilt { builds.insert(member) } else if isTested { tests.insert(member) }
                isTested = false
            }
        }
    }

    private static func tests(
        inPlan path: String, tree: Tree, _ container: (String?) -> String
    ) -> [Member] {
        struct Plan: Decodable {
            struct Test: Decodable {
                struct Target: Decodable { let containerPath, name: String }
                let enabled: Bool?
                let target: Target
            }
            let testTargets: [Test]
        }
        let data = FileManager.default.contents(atPath: tree.root + "/" + path)
        let plan = data.flatMap { try? JSONDecoder().decode(Plan.self, from: $0) }
        return (plan?.testTargets ?? []).filter { $0.enabled ?? true }.map {
            Member(container: container($0.target.containerPath), target: $0.target.name)
        }
    }

    private static func text(_ path: String, in tree: Tree) -> String? {
        FileManager.default.contents(atPath: tree.root + "/" + path).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func attributes(_ text: Substring) -> [String: String] {
        let pairs = text.matches(of: /([A-Za-z]+)\s*=\s*"([^"]*)"/).map { match -> (String, String) in
            let value = match.2.replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
            return (String(match.1), String(value))
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
