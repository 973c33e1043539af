import ModuleTree

enum ModuleName {
    /// The maximum length of a name, which keeps generated lines within 110 columns.
    static let longest = 30

    /// Refuses a name that is invalid in every tree.
    static func validate(_ name: String, _ configuration: Configuration = Configuration()) throws(Diagnostic)
    {
        let capitalised = name.prefix(1).uppercased() + name.dropFirst()
        let suffix = configuration.apiSuffix
        let base = name.dropLast(suffix.count)
        // Each problem with its reason and its fix.
        let problems: [(Bool, String, String, String)] = [
            (
                name.isEmpty, "it is empty", "The name is used for packages, types and folders.",
                "Choose a name, such as Wallet."
            ),
            (
                !name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) },
                "only ASCII letters and digits are allowed", "The name becomes an identifier and a trait.",
                "Write it as one word: Wallet, PayType"
            ),
            (
                name.first?.isNumber == true, "it begins with a digit",
                "A Swift identifier may not begin with a digit.", "Begin with a capital letter."
            ),
            (
                name.first?.isUppercase == false, "it begins with a lower-case letter",
                "The name is used for types.", "Write it as \(capitalised)."
            ),
            (
                name.count > longest, "it has \(name.count) characters, and the maximum is \(longest)",
                "Generated lines would exceed 110 columns.", "Choose a shorter name."
            ),
            (
                ReservedNames.standardModules.contains(name.lowercased()),
                "it is the name of a standard module", "'import \(name)' would be ambiguous.",
                "Choose another name."
            ),
            (
                ReservedNames.standardTypes.contains(name), "it is a keyword or the name of a standard type",
                "A module with this name would make '\(name).' ambiguous.", "Choose another name."
            ),
            (
                ReservedNames.ours.contains(name.lowercased()), "generated code or a trait uses this name",
                "The names would clash.", "Choose another name."
            ),
            (
                name.hasSuffix(suffix), "it ends in '\(suffix)'",
                "This suffix marks the Api package of a pair, which gets its name from the pair.",
                base.isEmpty ? "Choose another name." : "Leave out the suffix: \(base)"
            ),
        ]
        for (isWrong, what, why, fix) in problems where isWrong {
            throw Diagnostic(
                .configuration, "'\(name)' cannot be a module's name: \(what).", why: why, fix: fix)
        }
    }

    /// Rejects a name that clashes with a package, target, folder or module type in this tree. Names that differ only
    /// in case clash too.
    ///
    /// - Parameter folders: The folders where packages are expected, including folders without a manifest.
    static func validateIsFree(_ name: String, in tree: Tree, folders: [String]) throws(Diagnostic) {
        let wanted = Set([name, tree.names.api(name), name + "Tests"].map { $0.lowercased() })
        func isTaken(_ other: String) -> Bool { wanted.contains(other.lowercased()) }
        var clashes: [(what: String, place: String)] = tree.packages.filter { isTaken($0.name) }.map {
            ("\($0.name) exists", $0.manifestPath)
        }
        for package in tree.packages {
            let place = package.manifestPath
            clashes += package.targets.filter { isTaken($0.name) }.map {
                ("the target \($0.name) exists", place)
            }
            // `RideModule` is the module type of Ride, and `RideTests` its test target.
            let (module, tests) = (tree.names.moduleType(package.name), package.name + "Tests")
            if package.role == .imp,
                name == module || name == tests || package.name == tree.names.moduleType(name)
            {
                clashes.append(("\(package.name) is a pair", place))
            }
        }
        clashes += folders.filter { isTaken(PathText.split($0).name) }.map {
            ("the folder \($0) exists", $0)
        }
        if let clash = clashes.first {
            throw Diagnostic(
                .configuration, at: clash.place, "'\(name)' cannot be added: \(clash.what).",
                why: "Package and module names must be unique, and some file systems ignore case.",
                fix: "Choose another name.")
        }
    }
}
