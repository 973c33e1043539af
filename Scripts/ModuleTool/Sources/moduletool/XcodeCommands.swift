import ModuleRules
import ModuleTree

/// The `xcodebuild` commands that build and test what a change affects.
struct XcodeCommands {
    private let tree: Tree
    private let workspaces: [String: String]
    private(set) var lines: [String] = []

    /// Covers each affected target once: by the shared scheme with the most affected targets and the fewest others,
    /// or else by the scheme that Xcode generates for the target or its package.
    init(_ affected: Affected, in tree: Tree) {
        self.tree = tree
        workspaces = XcodeScheme.workspaces(of: tree)
        let nodes = affected.targets.map { node in
            (node, XcodeScheme.Member(container: node.package.path, target: node.target.name))
        }
        var tests = Set(nodes.filter { $0.0.target.kind == .test }.map(\.1))
        var builds = Set(nodes.filter { $0.0.package.isProject && $0.0.target.kind != .test }.map(\.1))
        var schemes = XcodeScheme.all(in: tree)
        func gain(_ scheme: XcodeScheme) -> Int {
            scheme.tests.intersection(tests).count + scheme.builds.intersection(builds).count
        }
        // Of several such schemes, prefers the one with the fewest targets: the scheme of an app itself, not of one
        // of its extensions.
        func size(_ scheme: XcodeScheme) -> Int { -(scheme.builds.count + scheme.tests.count) }
        while let index = schemes.indices.max(by: { left, right in
            let (left, right) = (schemes[left], schemes[right])
            return (gain(left), size(left)) < (gain(right), size(right))
        }),
            gain(schemes[index]) > 0
        {
            let scheme = schemes.remove(at: index)
            let chosen = scheme.tests.intersection(tests)
            add(
                scheme.container, scheme.name,
                testing: chosen.map(\.target), isAll: chosen == scheme.tests)
            tests.subtract(scheme.tests)
            builds.subtract(scheme.builds)
        }
        for (node, member) in nodes where tests.contains(member) || builds.contains(member) {
            let project = node.package.path
            if node.package.isProject {
                let own = Set(node.package.targets.filter { $0.kind == .executable }.map(\.name))
                let host = node.target.dependencies.map(\.name).first(where: own.contains)
                let isTest = node.target.kind == .test
                add(
                    workspaces[project] ?? project, isTest ? host ?? member.target : member.target,
                    testing: isTest ? [member.target] : [], isAll: false)
            } else {
                let mine = tests.filter { $0.container == project }
                tests.subtract(mine)
                let products = node.package.manifest.products.count
                add(
                    project, node.package.manifest.name + (products > 1 ? "-Package" : ""),
                    testing: mine.map(\.target),
                    isAll: mine.count == node.package.targets.count { $0.kind == .test })
            }
        }
    }

    private mutating func add(_ container: String, _ scheme: String, testing tests: [String], isAll: Bool) {
        let place =
            container.hasSuffix(".xcworkspace")
            ? " -workspace " + quoted(container)
            : container.hasSuffix(".xcodeproj") ? " -project " + quoted(container) : ""
        let chosen = isAll ? "" : tests.sorted().map { " -only-testing:" + quoted($0) }.joined()
        let command =
            "xcodebuild \(tests.isEmpty ? "build" : "test")\(place) -scheme \(quoted(scheme))\(chosen)"
        // Without a project, xcodebuild opens the package in the current folder.
        lines.append(
            place.isEmpty && !container.isEmpty ? "(cd \(quoted(container)) && \(command))" : command)
    }

    private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
