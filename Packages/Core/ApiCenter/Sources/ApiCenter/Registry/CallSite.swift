/// The source location of a call: the caller's file and line.
///
/// ``ApiCenter`` creates a call site from the caller's `#fileID` and `#line`, for its errors and for the
/// observer.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
    let file: StaticString

    /// The line number, starting at 1.
    public let line: UInt

    /// Creates a call site from `#fileID` and `#line`.
    public init(fileID: StaticString, line: UInt) { (file, self.line) = (fileID, line) }

    /// The file in `#fileID` format: `ModuleA/ModuleAService.swift`.
    public var fileID: String { file.description }

    /// The module of the caller: the part of `#fileID` before its first slash.
    public var module: String { String(fileID.prefix { $0 != "/" }) }

    /// The file and the line: `ModuleA/ModuleAService.swift:12`.
    public var description: String { "\(fileID):\(line)" }

    /// Whether both call sites have the same file and line.
    public static func == (left: CallSite, right: CallSite) -> Bool { left.description == right.description }

    /// Hashes the file and the line.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
