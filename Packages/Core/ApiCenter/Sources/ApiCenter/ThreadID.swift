#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A thread, as long as it runs. A number: it is never used to reach into the thread.
typealias ThreadID = UInt

/// The thread that calls.
func currentThread() -> ThreadID {
    #if canImport(Darwin)
    // Only the address is taken.
    unsafe UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
}
