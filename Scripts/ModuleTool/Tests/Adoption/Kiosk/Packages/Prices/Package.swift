// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Prices",
    products: [.library(name: "Prices", targets: ["Prices"])],
    targets: [.target(name: "Prices")]
)
