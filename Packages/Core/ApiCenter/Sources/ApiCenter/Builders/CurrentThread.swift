#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Identifies a thread while it runs. The number is only compared, never used to access the thread.
typealias ThreadID = UInt

/// The identifier of the calling thread.
func currentThread() -> ThreadID {
    #if canImport(Darwin)
    // Only the pointer's address is used.
    unsafe UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
}

/// How much of its stack the calling thread has used.
///
/// On Apple's platforms, the system reports the bounds of a stack quickly. Elsewhere, the middle of a thread's
/// stack is computed once, at the thread's first nested lookup. If the system does not report the bounds, both
/// properties are false.
enum ThreadStack {
    /// Whether half of the stack is used. Also true for code that runs on a different stack at lower addresses.
    static var isHalfUsed: Bool { address() < middle }

    /// Whether three quarters of the stack are used. Slow, because every call asks the system.
    static var isNearlyUsedUp: Bool {
        guard let stack = bounds() else { return false }
        return (stack.lowest..<stack.mark(4)).contains(address())
    }

    /// The address of a local variable, which approximates the stack pointer. The address is never dereferenced.
    @inline(__always)
    private static func address() -> UInt {
        var local: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }

    #if canImport(Darwin)
    /// The address in the middle of the calling thread's stack. Stacks grow downwards, towards lower addresses.
    private static var middle: UInt { bounds()?.mark(2) ?? 0 }
    #else
    /// The key of the thread-specific value that caches `middle`.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The address in the middle of the calling thread's stack. Stacks grow downwards, towards lower addresses.
    private static var middle: UInt {
        // The thread-specific value is an integer stored as a pointer. It is never dereferenced.
        guard let key else { return 0 }
        if let known = unsafe pthread_getspecific(key) { return UInt(bitPattern: known) }
        let middle = bounds()?.mark(2) ?? 1
        _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: middle))
        return middle
    }
    #endif

    /// The bounds of a stack, which grows from `end` down to `lowest`.
    private struct Bounds {
        let lowest: UInt
        let end: UInt

        /// The address at which `1 / parts` of the stack is still unused. A stack of more than 8 MB counts as 8 MB.
        func mark(_ parts: UInt) -> UInt {
            let size = min(end - lowest, 8 << 20)
            return end - size + size / parts
        }
    }

    /// The bounds of the calling thread's stack.
    private static func bounds() -> Bounds? {
        #if canImport(Darwin)
        // Only the pointers' addresses are used.
        let end = unsafe UInt(bitPattern: stackEnd(of: pthread_self()))
        return unsafe Bounds(lowest: end - stackSize(of: pthread_self()), end: end)
        #else
        var attributes = pthread_attr_t()
        guard let getAttributes = unsafe getAttributes,
            unsafe getAttributes(pthread_self(), &attributes) == 0
        else { return nil }
        defer { _ = unsafe pthread_attr_destroy(&attributes) }
        var lowest: UnsafeMutableRawPointer?
        var size = 0
        guard unsafe pthread_attr_getstack(&attributes, &lowest, &size) == 0 else { return nil }
        return Bounds(lowest: UInt(bitPattern: lowest), end: UInt(bitPattern: lowest) + UInt(size))
        #endif
    }

    #if !canImport(Darwin)
    private typealias GetAttributes =
        @convention(c) @Sendable (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

    /// The system's `pthread_getattr_np`. The C headers declare this function only if `_GNU_SOURCE` is defined,
    /// and Swift imports the headers without defining it. A null handle stands for the program and its libraries.
    private static let getAttributes: GetAttributes? = unsafe dlsym(nil, "pthread_getattr_np").map {
        unsafe unsafeBitCast($0, to: GetAttributes.self)
    }
    #endif
}

#if canImport(Darwin)
// Declared by hand with the C signatures, because the header is missing when the module is compiled for Apple's
// platforms on Linux.
@_silgen_name("pthread_get_stackaddr_np")
private func stackEnd(of thread: pthread_t) -> UnsafeMutableRawPointer

@_silgen_name("pthread_get_stacksize_np")
private func stackSize(of thread: pthread_t) -> UInt
#endif
