// swift-format-ignore-file
// The Swift part of Apple's Darwin module: macros with arguments, variadic functions, and errors.
@_exported import DarwinC

public var errno: Int32 {
    get { 0 }
    set {}
}
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { 0 }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }

public struct PthreadOpaque {}
public typealias pthread_t = UnsafeMutablePointer<PthreadOpaque>
public func pthread_self() -> pthread_t { fatalError("a stand-in") }

public enum POSIXErrorCode: Int32, Sendable {
    case EIO = 5
    case EINVAL = 22
}
