import ModuleTree

extension Rule {
    static let linkedOnce = Rule(
        "linked-once", in: .imports, counting: { $0.packages.flatMap(\.images).count }
    ) { report in
        let tree = report.tree
        guard tree.packages.contains(where: { $0.manifest.products.contains(where: \.isDynamic) }) else {
            return
        }
        let images = tree.packages.flatMap { package in
            package.images.map { LinkedImage($0.name, $0.targets, of: package, tree) }
        }
        var reported: Set<Set<Int>> = []
        for start in images.indices {
            let loaded = reachable(from: [start]) { index in
                images.indices.filter { images[index].libraries.contains(images[$0].key) }
            }
            for (end, second) in loaded.enumerated() {
                for first in loaded[..<end] where reported.insert([first, second]).inserted {
                    report.compare(images[first], images[second])
                }
            }
        }
    }
}

extension RuleReport {
    /// Reports the code that two images of a process contain. The second image is a dynamic library.
    fileprivate mutating func compare(_ image: LinkedImage, _ library: LinkedImage) {
        let shared = image.copies.keys.filter { library.copies[$0] != nil }.sorted()
        guard let first = shared.first, let place = image.copies[first], let other = library.copies[first]
        else {
            return
        }
        self(
            place,
            "\(image.name) and \(library.name) each contain a copy of \(shared.joined(separator: ", "))",
            fix:
                "link both to one dynamic product with this code, or remove `type: .dynamic` from \(library.name)",
            notes: [.init(other, "linked into \(library.name)")])
    }
}

extension LocalPackage {
    /// The files that the linker makes of the package, with their targets: the executables, the tests, and the dynamic
    /// libraries.
    fileprivate var images: [(name: String, targets: [LocalTarget])] {
        let tests = targets.filter { $0.kind == .test }
        return targets.filter { $0.kind == .executable }.map { ($0.name, [$0]) }
            + (tests.isEmpty ? [] : [("the tests of \(name)", tests)])
            + manifest.products.filter(\.isDynamic).map { ($0.name, targets(ofProduct: $0.name)) }
    }
}

/// An image, and what its targets link, directly or through other targets.
private struct LinkedImage {
    let name: String
    /// Identifies a dynamic library.
    let key: String
    /// The targets and remote products whose code the image contains, each with the place that links it.
    private(set) var copies: [String: SourcePlace] = [:]
    /// The keys of the dynamic libraries that the image links.
    private(set) var libraries: Set<String> = []

    init(_ name: String, _ targets: [LocalTarget], of package: LocalPackage, _ tree: Tree) {
        (self.name, key) = (name, Self.key(name, package))
        var waiting = targets.map { ($0, package) }
        for target in targets { copies[target.name] = target.declaration.position.in(package.manifestPath) }
        while let (target, package) = waiting.popLast() {
            for dependency in target.dependencies
            where !dependency.isPlugin && dependency.isOn(with: package.manifest.defaultTraits) {
                let place = target.place(of: dependency, in: package)
                guard let owner = tree.package(owning: dependency, of: package) else {
                    // SwiftPM copies a remote product, unless its package declares it as dynamic.
                    if !dependency.name.contains("Dynamic") { copies[dependency.name] = place }
                    continue
                }
                let product = owner.manifest.products.first { $0.name == dependency.name }
                if owner !== package, product?.isDynamic == true {
                    libraries.insert(Self.key(dependency.name, owner))
                    continue
                }
                for next in tree.targets(of: dependency, in: package)
                where [.regular, .executable].contains(next.kind) && copies[next.name] == nil {
                    copies[next.name] = place
                    waiting.append((next, owner))
                }
            }
        }
    }

    private static func key(_ product: String, _ package: LocalPackage) -> String {
        "\(package.path):\(product)"
    }
}
