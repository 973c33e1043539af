import Foundation

/// The protection of files while the device is locked. Linux has no such protection.
///
/// Source: Apple, "Encrypting your app's files":
/// https://developer.apple.com/documentation/uikit/encrypting-your-app-s-files
enum FileProtection {
    static func set(_ protection: FileProtectionType, of file: URL) throws(SystemFailure) {
        #if canImport(Darwin)
        do {
            try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: file.path)
        } catch {
            throw SystemFailure("protect \(file.path)", code: code(of: error))
        }
        #endif
    }

    /// The `errno` behind an error of Foundation; `EIO` if it has none.
    static func code(of error: any Error) -> CInt {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return cause?.domain == NSPOSIXErrorDomain ? cause.map { CInt($0.code) } ?? EIO : EIO
    }
}
