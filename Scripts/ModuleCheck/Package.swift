// swift-tools-version: 6.3
import PackageDescription

let package = Package(name: "ModuleCheck")

// The shared settings, identical in every manifest.
for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.strictMemorySafety()]
}

// A plugin target accepts no settings, so this one is added after the loop.
package.products.append(.plugin(name: "ModuleCheck", targets: ["ModuleCheck"]))
package.targets.append(.plugin(name: "ModuleCheck", capability: .buildTool()))
