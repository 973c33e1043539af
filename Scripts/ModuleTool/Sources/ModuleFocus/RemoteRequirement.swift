import ModuleKit
import ModuleTree
import ModuleVersions

/// The versions of a remote package that all merged packages accept.
struct RemoteRequirement {
    private let remote: BuildManifest.Remote
    private let requirement: BuildManifest.Requirement

    /// - Parameter users: The packages that declare the dependency, each with its declaration; at least one.
    init(_ users: [(package: LocalPackage, remote: BuildManifest.Remote)], name: String) throws(Diagnostic) {
        guard let (user, remote) = users.first else {
            throw Diagnostic(
                .configuration, "no manifest declares the versions of \(name)",
                why: "The merged package has to declare them.", fix: "Declare the dependency by its URL.")
        }
        var (first, requirement) = (user, remote.requirement)
        for (package, other) in users.dropFirst() {
            guard let both = Self.intersection(requirement, other.requirement) else {
                throw Diagnostic(
                    .configuration, at: package.manifestPath,
                    "accepts no version of \(name) that \(first.manifestPath) accepts too",
                    why: "A package has one version in an app.",
                    fix: "Change the requirement in one of the manifests.")
            }
            if both != requirement { (first, requirement) = (package, both) }
        }
        (self.remote, self.requirement) = (remote, requirement)
    }

    /// The requirement that both requirements contain; nil if there is none. A branch or a revision replaces versions,
    /// as in SwiftPM.
    private static func intersection(
        _ left: BuildManifest.Requirement, _ right: BuildManifest.Requirement
    ) -> BuildManifest.Requirement? {
        switch (left, right) {
        case (.reference, .reference): return left == right ? left : nil
        case (.reference, _): return left
        case (_, .reference): return right
        case (.exact(let a), .exact(let b)): return SemanticVersion(a) == SemanticVersion(b) ? left : nil
        case (.exact(let version), .range(let lower, let upper)),
            (.range(let lower, let upper), .exact(let version)):
            guard let version = SemanticVersion(version), let lower = SemanticVersion(lower),
                let upper = SemanticVersion(upper), lower <= version, version < upper
            else { return nil }
            return .exact(version.description)
        case (.range(let a, let b), .range(let c, let d)):
            guard let lower = [a, c].compactMap(SemanticVersion.init).max(),
                let upper = [b, d].compactMap(SemanticVersion.init).min(), lower < upper
            else { return nil }
            return .range(lower.description, upper.description)
        }
    }

    /// The arguments of the dependency as Swift code.
    var arguments: [String] {
        var arguments = ["\(remote.isInRegistry ? "id" : "url"): \(remote.address.debugDescription)"]
        switch requirement {
        case .exact(let version): arguments.append("exact: \(version.debugDescription)")
        case .reference(let kind, let value): arguments.append("\(kind): \(value.debugDescription)")
        case .range(let lower, let upper):
            let isFloor = SemanticVersion(lower).map { "\($0.major + 1).0.0" } == upper
            arguments.append(
                isFloor
                    ? "from: \(lower.debugDescription)"
                    : "\(lower.debugDescription)..<\(upper.debugDescription)")
        }
        return arguments
    }
}
