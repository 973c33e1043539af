import ModuleTree

/// Only tests link the fakes of a pair.
struct FakesRule: Rule {
    let id = "fakes-in-tests"
    let group = RuleGroup.pairs
    let subject = RuleSubject.fakes
    let why = "a fake stands once, beside its Api, and an app must never get it in place of the IMP"
    let source: String? = "1-ApiCenter, 说明 3"
    let explanation = """
        The package of an Api may contain a second target and product, `XxxApiFakes`, with the fake of the pair that \
        the tests of other modules share. The rules about an Api's content do not apply to it. Only test targets, and \
        other fakes, may depend on it or import it.

        Breaks it:  import UserApiFakes in Packages/Business/Ride/Sources/Ride/RideService.swift
        Fix it:     import UserApi, and get the implementation from ApiCenter.
        """

    func findings(in context: RuleContext) -> [Finding] {
        let tree = context.tree
        let fakes = Set(tree.packages.flatMap(\.fakes).map(\.name))
        return tree.packages.flatMap { package in
            package.mainTargets.filter { !fakes.contains($0.name) }.flatMap { target -> [Finding] in
                let declared = target.dependencies.filter { fakes.contains($0.name) }.map {
                    ($0.name, ($0.position ?? target.declaration.position).in(package.manifestPath))
                }
                let imported = target.files.flatMap { file in
                    file.facts.imports.filter { fakes.contains($0.module) }.map {
                        ($0.module, file.place($0.position))
                    }
                }
                return (declared + imported).map { name, place in
                    finding(
                        place, "\(target.name) uses \(name), and is not a test",
                        fix:
                            "depend on \(name.dropLast(LocalPackage.fakesSuffix.count)) instead, and get the "
                            + "implementation from ApiCenter")
                }
            }
        }
    }
}

extension LocalPackage {
    static let fakesSuffix = "Fakes"

    /// The target with the fakes of an Api, if the package is an Api that has one.
    var fakes: [LocalTarget] {
        role == .api ? targets.filter { $0.name == name + Self.fakesSuffix } : []
    }
}

extension RuleSubject {
    static let fakes = RuleSubject { context in
        context.tree.packages.flatMap(\.fakes).count
    }
}
