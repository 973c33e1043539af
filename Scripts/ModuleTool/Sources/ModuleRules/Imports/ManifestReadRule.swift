import ModuleTree

/// Every manifest can be read.
struct ManifestReadRule: Rule {
    let id = "manifest-read"
    let group = RuleGroup.imports
    let subject = RuleSubject.manifests
    let why = "a package whose manifest cannot be read is missing from the tree, and no rule checks it"
    let explanation = """
        SwiftPM must be able to evaluate each Package.swift, and each project.pbxproj must be complete. All \
        other packages are checked, but not by the rules that need to know the whole tree, such as \
        registration-missing. The rule is part of every check, whichever rules are chosen, and no baseline hides it.

        Breaks it:  a missing bracket, a merge conflict, or a tools version that is newer than the installed Swift
        Fix it:     correct the manifest, or exclude its folder in \(Configuration.path).
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.tree.unread.map { manifest in
            finding(
                manifest.place, "the manifest cannot be read: \(manifest.reason)",
                fix: "\(manifest.fix), or exclude the folder in \(Configuration.path)")
        }
    }
}
