import Testing

/// An edit of the small tree that breaks one rule, and the place that the rule must report.
package struct Break: Sendable, CustomTestStringConvertible {
    package let rule: String
    package let file: String
    package let old: String
    package let new: String
    package let place: String
    package var testDescription: String { "\(rule): \(new)" }

    /// - Parameter place: A line and a column of the edited file, or a path with both.
    package init(_ rule: String, _ file: String, _ old: String, _ new: String, at place: String) {
        (self.rule, self.file, self.old, self.new) = (rule, file, old, new)
        self.place = place.contains("/") || place.hasPrefix("Package.swift") ? place : "\(file):\(place)"
    }

    private static let code = "public struct RideCode"
    private static let service = "struct RideService"
    private static let initializer = "    public init() {}"

    package static let all = [
        Break("import-declared", File.list, "#if Ride\nimport Ride\n#endif", "import Ride", at: "6:1"),
        Break(
            "import-declared", File.journeyManifest, "\"ErrorCode\", \"JourneyApi\"",
            ".byName(name: \"ErrorCode\", condition: .when(platforms: [.linux])), \"JourneyApi\"",
            at: "\(File.journey):2:1"),
        Break(
            "import-declared", File.journey, "import RideApi",
            "#if DEBUG\nprivate import struct Mediator.Mediator\n#endif", at: "5:1"),
        Break("pair-names", File.rideManifest, "name: \"Ride\",\n", "name: \"Rides\",\n", at: "1:1"),
        Break("api-alone", File.rideApi, "/// What other", "import Dispatch\n/// What other", at: "1:1"),
        Break(
            "api-alone", File.rideApiManifest, "dependencies: [\n    ]",
            "dependencies: [\n        .package(url: \"https://github.com/apple/swift-log\", from: \"1.0.0\")\n    ]",
            at: "8:9"),
        Break("api-content", File.rideApi, code, "public final class Store {}\n" + code, at: "7:20"),
        Break(
            "api-content", File.rideApi, code,
            "extension String { public func half() -> Int { count / 2 } }\n" + code, at: "7:11"),
        Break(
            "api-content", File.rideApi, code, "extension Swift.Int: RideApiProtocol {}\n" + code, at: "7:11"),
        Break(
            "api-signature", File.rideApi, code,
            "public struct RideSettings { public let seconds: Int }\n" + code, at: "7:15"),
        Break("imp-own-api", File.rideManifest, ", \"RideApi\"]", "]", at: "13:23"),
        Break("imp-public", File.ride, service, "public struct RideService", at: "13:15"),
        Break(
            "imp-public", File.ride, service, "extension Int { public var half: Int { 1 } }\n" + service,
            at: "13:28"),
        Break(
            "imp-public", File.ride, "public struct RideModule", "struct RideModule",
            at: "\(File.rideManifest):13:23"),
        Break(
            "module-members", File.ride, initializer,
            "\(initializer)\n    public func link(in center: ApiCenter) {}", at: "8:17"),
        Break(
            "module-members", File.ride, initializer,
            "\(initializer)\n    func links(in center: ApiCenter) -> [Link] { [] }", at: "8:10"),
        Break(
            "module-members", File.ride, initializer,
            "    public func handle(_ event: Int, at center: ApiCenter) async {}", at: "7:17"),
        Break(
            "module-members", File.ride, initializer, "    public func prepare(in center: ApiCenter) {}",
            at: "7:17"),
        Break(
            "route-constant", File.ride, initializer,
            "    let link = Link.route(RideRoute.main + \"/x\") { _ in nil }", at: "7:27"),
        Break(
            "route-constant", File.ride, initializer,
            "    func listed() -> [Link] { [.route(\"ride_vc\") { _ in nil }] }", at: "7:39"),
        Break(
            "route-constant", File.ride, initializer,
            "    let link = Link.route(JourneyRoute.main, handler: { _ in nil })", at: "7:27"),
        Break(
            "imp-hidden", File.journey, "import RideApi", "import RideApi\n@testable import Ride", at: "5:1"),
        Break(
            "imp-hidden", File.journeyManifest, "\"RideApi\"]",
            "\"RideApi\", .product(name: \"Ride\", package: \"Ride\")]", at: "15:113"),
        Break("package-found", File.journeyManifest, "../RideApi", "../RideAip", at: "12:9"),
        Break(
            "dependency-used", File.journey, "import ErrorCode\n", "", at: "\(File.journeyManifest):15:62"),
        Break("layer-order", File.center, "public final", "import Lifecycle\npublic final", at: "1:1"),
        Break(
            "facade-alone", File.actions, "import Mediator\n", "import Mediator; import RideApi\n", at: "1:18"
        ),
    ]
}
