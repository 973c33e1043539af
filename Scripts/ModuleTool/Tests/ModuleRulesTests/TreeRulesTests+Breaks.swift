import Testing

extension TreeRulesTests {
    /// An edit of the small tree that breaks one rule, and the place that the rule must report.
    struct Break: Sendable, CustomTestStringConvertible {
        let rule: String
        let file: String
        let old: String
        let new: String
        let place: String
        var testDescription: String { "\(rule): \(new)" }

        init(_ rule: String, _ file: String, _ old: String, _ new: String, at place: String) {
            (self.rule, self.file, self.old, self.new, self.place) = (rule, file, old, new, place)
        }
    }

    static let ride = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
    static let rideApi = "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift"
    static let journey = "Packages/Business/Journey/Sources/Journey/JourneyService.swift"
    static let journeyManifest = "Packages/Business/Journey/Package.swift"

    static let breaks = [
        Break(
            "import-declared", "Apps/Shell/Sources/Shell/Registrations.swift",
            "#if Ride\nimport Ride\n#endif", "import Ride",
            at: "Apps/Shell/Sources/Shell/Registrations.swift:6:1"),
        Break(
            "import-declared", journeyManifest, "\"ErrorCode\", \"JourneyApi\"",
            ".byName(name: \"ErrorCode\", condition: .when(platforms: [.linux])), \"JourneyApi\"",
            at: "\(journey):2:1"),
        Break(
            "pair-names", "Packages/Business/Ride/Package.swift", "name: \"Ride\",\n", "name: \"Rides\",\n",
            at: "Packages/Business/Ride/Package.swift:1:1"),
        Break(
            "api-alone", rideApi, "/// What other", "import Dispatch\n/// What other", at: "\(rideApi):1:1"),
        Break(
            "api-alone", "Packages/Business/RideApi/Package.swift", "dependencies: [\n    ]",
            "dependencies: [\n        .package(url: \"https://github.com/apple/swift-log\", from: \"1.0.0\")\n    ]",
            at: "Packages/Business/RideApi/Package.swift:8:9"),
        Break(
            "api-content", rideApi, "public struct RideCode",
            "public final class Store {}\npublic struct RideCode", at: "\(rideApi):7:20"),
        Break(
            "api-content", rideApi, "public struct RideCode",
            "extension String { public func half() -> Int { count / 2 } }\npublic struct RideCode",
            at: "\(rideApi):7:11"),
        Break(
            "api-content", rideApi, "public struct RideCode",
            "extension Swift.Int: RideApiProtocol {}\npublic struct RideCode", at: "\(rideApi):7:11"),
        Break(
            "api-signature", rideApi, "public struct RideCode",
            "public struct RideSettings { public let seconds: Int }\npublic struct RideCode",
            at: "\(rideApi):7:15"),
        Break(
            "imp-own-api", "Packages/Business/Ride/Package.swift", ", \"RideApi\"]", "]",
            at: "Packages/Business/Ride/Package.swift:13:23"),
        Break("imp-public", ride, "struct RideService", "public struct RideService", at: "\(ride):13:15"),
        Break(
            "imp-public", ride, "struct RideService",
            "extension Int { public var half: Int { 1 } }\nstruct RideService", at: "\(ride):13:28"),
        Break(
            "imp-public", ride, "public struct RideModule", "struct RideModule",
            at: "Packages/Business/Ride/Package.swift:13:23"),
        Break(
            "module-members", ride, "    public init() {}",
            "    public init() {}\n    public func link(in center: ApiCenter) {}", at: "\(ride):8:17"),
        Break(
            "module-members", ride, "    public init() {}",
            "    public init() {}\n    func links(in center: ApiCenter) -> [Link] { [] }", at: "\(ride):8:10"),
        Break(
            "module-members", ride, "    public init() {}",
            "    public func handle(_ event: Int, at center: ApiCenter) async {}", at: "\(ride):7:17"),
        Break(
            "module-members", ride, "    public init() {}",
            "    public func prepare(in center: ApiCenter) {}",
            at: "\(ride):7:17"),
        Break(
            "route-constant", ride, "    public init() {}",
            "    let link = Link.route(RideRoute.main + \"/x\") { _ in nil }", at: "\(ride):7:27"),
        Break(
            "route-constant", ride, "    public init() {}",
            "    func listed() -> [Link] { [.route(\"ride_vc\") { _ in nil }] }", at: "\(ride):7:39"),
        Break(
            "route-constant", ride, "    public init() {}",
            "    let link = Link.route(JourneyRoute.main, handler: { _ in nil })", at: "\(ride):7:27"),
        Break(
            "imp-hidden", journey, "import RideApi", "import RideApi\n@testable import Ride",
            at: "\(journey):5:1"),
        Break(
            "imp-hidden", journeyManifest, "\"RideApi\"]",
            "\"RideApi\", .product(name: \"Ride\", package: \"Ride\")]",
            at: "\(journeyManifest):15:113"),
        Break(
            "import-declared", journey, "import RideApi",
            "#if DEBUG\nprivate import struct Mediator.Mediator\n#endif", at: "\(journey):5:1"),
        Break(
            "linked-once", journeyManifest, ".library(name: \"Journey\",",
            ".library(name: \"Journey\", type: .dynamic,",
            at: "Package.swift:24:17"),
        Break("package-found", journeyManifest, "../RideApi", "../RideAip", at: "\(journeyManifest):12:9"),
        Break("dependency-used", journey, "import ErrorCode\n", "", at: "\(journeyManifest):15:62"),
        Break(
            "layer-order", "Packages/Core/ApiCenter/Sources/ApiCenter/ApiCenter.swift", "public final",
            "import Lifecycle\npublic final",
            at: "Packages/Core/ApiCenter/Sources/ApiCenter/ApiCenter.swift:1:1"),
        Break(
            "facade-alone", "Packages/Common/RideActions/Sources/RideActions/RideActions.swift",
            "import Mediator\n",
            "import Mediator; import RideApi\n",
            at: "Packages/Common/RideActions/Sources/RideActions/RideActions.swift:1:18"),
    ]
}
