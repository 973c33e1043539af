import ModuleBytes
import ModuleKit

/// A test target, with everything that can change the outcome of its tests.
package struct TestTarget: Sendable {
    package let name: String
    /// The names of this and of the other test targets that it links.
    var tests: Set<String> = []
    package let module: String
    /// The digests of files by path, and other inputs by name, such as `/toolchain`. No path begins with a slash.
    package let inputs: [String: String]
    /// When each file, and each folder around one, was last written, to notice an edit that is undone during a run.
    var times: [String: FileTimes] = [:]
    /// Why the tests run even if no input has changed; nil if all inputs are known.
    package let alwaysRuns: String?
    /// Whether tests may be skipped, because the inputs decide which ones are.
    var maySkip = false
    /// Whether `reads` lists the target.
    var isListed = false
    /// The variables that the tests may read. They are among the inputs.
    package var environment: [String: String] = [:]

    /// The files and folders whose time a program has set, and all files in such a folder: it may have taken the place of
    /// another one whose files have the same times.
    var restored: [String] {
        guard times.values.contains(where: \.isSet) else { return [] }
        return times.keys.filter { path in
            PathText.upward(path).contains { times[$0]?.isSet == true }
        }
    }

    /// Identifies the inputs. Two runs with equal keys have the same outcome, unless the tests depend on something that
    /// is not among the inputs.
    package var key: String {
        let lines = inputs.sorted { $0.key < $1.key }.map { "\($0.key)\0\($0.value)\0" }
        return SHA256.hex(Array(lines.joined().utf8))
    }
}
