import ModuleTree

/// Checks the name of a new pair.
enum ModuleName {
    /// The maximum length of a name, which keeps generated lines within 110 columns.
    static let longest = 30

    /// Refuses a name that is invalid in every tree.
    ///
    /// - Throws: ``EditError`` with the reason.
    static func validate(_ name: String) throws(EditError) {
        func refuse(_ what: String, _ why: String, _ fix: String = "Choose another name.") -> EditError {
            EditError(.usage, "'\(name)' cannot be a module's name: \(what).", why: why, fix: fix)
        }
        let letters: (Character) -> Bool = { $0.isASCII && $0.isLetter }
        let capitalised = name.prefix(1).uppercased() + name.dropFirst()
        if name.isEmpty {
            throw refuse(
                "it is empty", "The name is used for packages, types and folders.", "Give a name: Wallet")
        }
        if ReservedNames.keywords.contains(name) || ReservedNames.lowerCaseKeywords.contains(name) {
            throw refuse("it is a Swift keyword", "'import \(name)' would not compile.")
        }
        if let bad = name.first(where: { !letters($0) && !($0.isASCII && $0.isNumber) }) {
            throw refuse(
                "it contains '\(bad)'",
                "It is used as an identifier and a trait: only ASCII letters and digits are safe in both.",
                "Write it as one word: Wallet, PayType")
        }
        if !letters(name.first ?? "_") {
            throw refuse(
                "it begins with a digit", "A Swift identifier may not begin with a digit.",
                "Begin with a capital letter.")
        }
        if name.first?.isUppercase != true {
            throw refuse(
                "it begins with a lower-case letter", "The name is used for types.",
                "Write it as \(capitalised).")
        }
        if name.count > longest {
            throw refuse(
                "it has \(name.count) characters, and the maximum is \(longest)",
                "Generated lines would exceed 110 columns.", "Choose a shorter name.")
        }
        if ReservedNames.standardModules.contains(name.lowercased()) {
            throw refuse(
                "it is the name of a standard module", "'import \(name)' would be ambiguous.")
        }
        if ReservedNames.standardTypes.contains(name) {
            throw refuse(
                "it is the name of a standard type",
                "A module with this name would make '\(name).' ambiguous.")
        }
        if ReservedNames.ours.contains(name.lowercased()) {
            throw refuse("the Shell or its traits use this name", "The names would clash.")
        }
        if name.hasSuffix("Api") {
            let base = name.dropLast(3)
            throw refuse(
                "it ends in 'Api'", "This suffix marks the Api package of a pair.",
                base.isEmpty ? "Choose another name." : "To add \(base) and \(name): new-module \(base)"
            )
        }
    }

    /// Refuses a name that clashes with a package, target, folder or module type in this tree. Names that
    /// differ only in case clash too.
    ///
    /// - Parameter folders: The folders at the level of packages, including folders without a manifest.
    /// - Throws: ``EditError`` with the clash.
    static func validateIsFree(_ name: String, in tree: Tree, folders: [String]) throws(EditError) {
        func refuse(_ other: String, at place: String, _ why: String) -> EditError {
            EditError(
                .usage, at: place, "'\(name)' cannot be added: \(other).", why: why,
                fix: "Choose another name.")
        }
        let wanted = [name, name + "Api", name + "Tests"]
        let lowercased = Set(wanted.map { $0.lowercased() })
        let unique = "Names of packages and modules are unique, and some file systems ignore case."
        for package in tree.packages {
            if lowercased.contains(package.name.lowercased()) {
                throw refuse("\(package.name) exists", at: package.manifestPath, unique)
            }
        }
        for package in tree.packages {
            for target in package.targets where lowercased.contains(target.name.lowercased()) {
                throw refuse("the target \(target.name) exists", at: package.manifestPath, unique)
            }
            // `RideModule` is the module type of Ride, so it cannot also be a module's name.
            if package.role == .imp, name == package.name + "Module" || package.name == name + "Module" {
                throw refuse(
                    "\(package.name) is a pair", at: package.manifestPath,
                    "The module type of one pair would have the name of the other pair.")
            }
        }
        for folder in folders {
            let last = folder.split(separator: "/").last.map { $0.lowercased() } ?? ""
            if lowercased.contains(last) {
                throw refuse("the folder \(folder) exists", at: folder, "The folder would be overwritten.")
            }
        }
        // `RideTests` is the name of Ride's test target.
        if name.hasSuffix("Tests"), tree.package(String(name.dropLast(5))) != nil {
            throw refuse(
                "\(name.dropLast(5)) has a test target with this name", at: "Packages", unique)
        }
    }
}
