import ModuleTree

/// What a pair may be called.
enum ModuleName {
    /// Longer ones would not leave generated lines within 110 columns.
    static let longest = 30

    /// Refuses a name that no tree could take, with the reason.
    static func validate(_ name: String) throws(EditError) {
        func refuse(_ what: String, _ why: String, _ mend: String = "Choose another name.") -> EditError {
            EditError(.usage, "'\(name)' cannot be a module's name: \(what).", why: why, mend: mend)
        }
        let letters: (Character) -> Bool = { $0.isASCII && $0.isLetter }
        let capitalised = name.prefix(1).uppercased() + name.dropFirst()
        if name.isEmpty {
            throw refuse(
                "it is empty", "Packages, types and folders are called by it.", "Give a name: Wallet")
        }
        if ReservedNames.keywords.contains(name) || ReservedNames.lowerCaseKeywords.contains(name) {
            throw refuse("it is a Swift keyword", "'import \(name)' would not compile.")
        }
        if let bad = name.first(where: { !letters($0) && !($0.isASCII && $0.isNumber) }) {
            throw refuse(
                "it contains '\(bad)'",
                "It becomes a Swift identifier and a trait; only the letters A to Z and digits are safe in both.",
                "Write it in one word: Wallet, PayType")
        }
        if !letters(name.first ?? "_") {
            throw refuse(
                "it begins with a digit", "It becomes a Swift identifier, which may not.",
                "Begin with a capital letter.")
        }
        if name.first?.isUppercase != true {
            throw refuse(
                "it begins with a small letter", "It becomes the name of types.",
                "Write it as \(capitalised).")
        }
        if name.count > longest {
            throw refuse(
                "it has \(name.count) letters, and \(longest) are the most",
                "Generated lines would pass 110 columns.", "Choose a shorter one.")
        }
        if ReservedNames.standardModules.contains(name.lowercased()) {
            throw refuse(
                "it is the name of a standard module", "'import \(name)' would mean either of the two.")
        }
        if ReservedNames.standardTypes.contains(name) {
            throw refuse(
                "it is the name of a standard type",
                "A module of that name would hide it from '\(name).' lookups.")
        }
        if ReservedNames.ours.contains(name.lowercased()) {
            throw refuse("the Shell or its traits have that name", "The two could not be told apart.")
        }
        if name.hasSuffix("Api") {
            let base = name.dropLast(3)
            throw refuse(
                "it ends in 'Api'", "That ending tells the Api package of a pair from its IMP.",
                base.isEmpty ? "Choose another name." : "For the pair \(base) and \(name): new-module \(base)"
            )
        }
    }

    /// Refuses a name that something in this tree has already, in whatever case, or that would clash with a
    /// type or a test target.
    static func validateIsFree(_ name: String, in tree: Tree, folders: [String]) throws(EditError) {
        func refuse(_ other: String, at place: String, _ why: String) -> EditError {
            EditError(
                .usage, at: place, "'\(name)' cannot be added: \(other).", why: why,
                mend: "Choose another name.")
        }
        let wanted = [name, name + "Api", name + "Tests"]
        let lowercased = Set(wanted.map { $0.lowercased() })
        let unique = "Packages and modules are told apart by name alone, on some file systems in any case."
        for package in tree.packages {
            if lowercased.contains(package.name.lowercased()) {
                throw refuse("\(package.name) exists", at: package.manifestPath, unique)
            }
        }
        for package in tree.packages {
            for target in package.targets where lowercased.contains(target.name.lowercased()) {
                throw refuse("a target is called \(target.name)", at: package.manifestPath, unique)
            }
            // A pair's entry is the type `RideModule`, and a module of that name would hide it.
            if package.role == .imp, name == package.name + "Module" || package.name == name + "Module" {
                throw refuse(
                    "\(package.name) is a pair", at: package.manifestPath,
                    "The type that registers one of them has the name of the other.")
            }
        }
        for folder in folders {
            let last = folder.split(separator: "/").last.map { $0.lowercased() } ?? ""
            if lowercased.contains(last) {
                throw refuse("the folder \(folder) exists", at: folder, "It would be overwritten.")
            }
        }
        // `RideTests` is the test target of `Ride`.
        if name.hasSuffix("Tests"), tree.package(String(name.dropLast(5))) != nil {
            throw refuse(
                "its package would have the name of the tests of \(name.dropLast(5))", at: "Packages", unique)
        }
    }
}
