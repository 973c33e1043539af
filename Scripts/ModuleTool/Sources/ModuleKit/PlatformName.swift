/// The names of platforms in PackageDescription.
package enum PlatformName {
    /// The platforms that have minimum versions, in the order of most manifests.
    package static let versioned = [
        "macOS", "macCatalyst", "iOS", "tvOS", "watchOS", "visionOS", "driverKit",
    ]

    /// All platforms.
    package static let all = versioned + ["linux", "windows", "android", "wasi", "openbsd", "freebsd"]
}
