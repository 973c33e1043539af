extension Rule {
    package static let manifestRead = Rule(
        "manifest-read", in: .imports, counting: { $0.packages.count + $0.tree.unread.count }
    ) { report in
        for manifest in report.tree.unread {
            report(
                manifest.place, "the manifest cannot be read: \(manifest.reason)",
                fix: manifest.fixes, repair: manifest.repair)
        }
    }
}
