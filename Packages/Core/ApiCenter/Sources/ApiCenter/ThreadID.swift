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

/// The calling thread.
func currentThread() -> ThreadID {
    #if canImport(Darwin)
    // Only the pointer's address is used.
    unsafe UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
}
