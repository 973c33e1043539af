import Dispatch
import Foundation
import ModuleBytes
import ModuleKit
import SwiftParser
import SwiftSyntax
import Synchronization

package enum SourceParser {
    /// Parses a file and reads its syntax tree.
    ///
    /// Runs on a thread whose stack grows with the file, because swift-syntax recurses for each link of a chain such
    /// as `a.b.c` or `A -> B -> C`.
    package static func read<Value: Sendable>(
        _ bytes: [UInt8], in path: String, _ read: @escaping @Sendable (SourceFileSyntax) -> Value
    ) throws(Diagnostic) -> Value {
        if let limit = bytes.exceededNesting {
            throw Diagnostic(
                .configuration, at: path, "has more than \(limit)",
                why: "The parser cannot read such a file in reasonable time.",
                fix: "Close them, or split the nested code.")
        }
        let result = Mutex<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let value = unsafe bytes.withUnsafeBufferPointer { unsafe read(Parser.parse(source: $0)) }
            result.withLock { $0 = value }
            done.signal()
        }
        // Recursion takes up to 2 KB of stack per byte of source; this reserves twice as much.
        thread.stackSize = min(1 << 30, 1 << 20 + bytes.count << 12)
        thread.start()
        done.wait()
        guard let value = result.withLock({ $0 }) else { preconditionFailure("the thread has not run") }
        return value
    }

    /// The syntax tree of a file, for readers that do not recurse.
    package static func tree(_ text: String, in path: String) throws(Diagnostic) -> SourceFileSyntax {
        try read(Array(text.utf8), in: path) { $0 }
    }
}
