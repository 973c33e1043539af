/// The settings at the end of every manifest, which begin with a comment.
package enum SharedSettings {
    package static let mark = "// The shared settings"

    /// The end of a manifest, with the empty line before it; empty if the manifest has no such comment.
    package static func end(of manifest: String) -> String {
        manifest.range(of: "\n" + mark).map { String(manifest[$0.lowerBound...]) } ?? ""
    }
}
