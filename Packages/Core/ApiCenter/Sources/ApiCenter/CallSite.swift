/// Where in the source a call was written: the caller's file and line.
///
/// ``ApiCenter`` fills it from `#fileID` and `#line`, for its errors and for the observer's trace.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
    let file: StaticString

    /// The line in the file, from 1.
    public let line: UInt

    /// The site of a `#fileID` and a `#line`.
    public init(fileID: StaticString, line: UInt) {
        self.file = fileID
        self.line = line
    }

    /// The file in the form of `#fileID`: `ModuleA/ModuleAService.swift`.
    public var fileID: String { file.description }

    /// The module that the call stands in: what `#fileID` has before its first slash.
    public var module: String { String(fileID.prefix { $0 != "/" }) }

    /// `ModuleA/ModuleAService.swift:12`.
    public var description: String { "\(fileID):\(line)" }

    /// Whether both are the same place.
    public static func == (left: CallSite, right: CallSite) -> Bool {
        left.line == right.line && left.fileID == right.fileID
    }

    /// Feeds the place to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fileID)
        hasher.combine(line)
    }
}
