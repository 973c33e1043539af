#if canImport(Security)
import Foundation
import Security

/// Secrets in the Keychain, as generic passwords of one service.
///
/// A secret can be read once the device has been unlocked after a restart. Secrets stay on this
/// device. Deleting the app does not delete its secrets, so an app should ignore a secret whose accompanying
/// data is gone. On macOS, the app needs the entitlement for an application identifier or for a keychain
/// access group.
///
/// This type has been compiled on Linux against stand-ins (`Scripts/apple`), but has not yet run on any device.
///
/// Source: Apple, "Keychain items": https://developer.apple.com/documentation/security/keychain-items
public struct KeychainSecrets: Secrets {
    private let service: String
    private let accessGroup: String?

    /// Creates a store for the secrets of a service.
    ///
    /// - Parameters:
    ///   - service: Distinguishes these secrets from the app's other Keychain items: `kSecAttrService`.
    ///   - accessGroup: The group of apps that share the secrets: `kSecAttrAccessGroup`. If it is nil, new
    ///     secrets go to the app's first access group, and all of its groups are searched. Pass a group if the
    ///     app has the entitlement for Keychain Sharing.
    public init(service: String, accessGroup: String? = nil) {
        (self.service, self.accessGroup) = (service, accessGroup)
    }

    /// Returns the secret with this name, or nil if no secret has this name.
    public func secret(_ name: String) throws(StorageError) -> Data? {
        var query = try item(name)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        switch unsafe SecItemCopyMatching(query as CFDictionary, &found) {
        case errSecSuccess:
            guard let data = found as? Data else { throw .unreadable(path(name), "the item is not data.") }
            return data
        case errSecItemNotFound: return nil
        case let status: throw .unreadable(path(name), "the Keychain returned the status \(status).")
        }
    }

    /// Stores or replaces a secret; nil removes it.
    public func setSecret(_ secret: Data?, name: String) throws(StorageError) {
        let item = try item(name)
        guard let secret else {
            return try check([errSecSuccess, errSecItemNotFound], SecItemDelete(item as CFDictionary), name)
        }
        let value: [String: Any] = [
            kSecValueData as String: secret,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil)
        }
        // Another thread has added the item in the meantime.
        if status == errSecDuplicateItem {
            status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
        }
        try check([errSecSuccess], status, name)
    }

    /// The attributes that identify a secret.
    private func item(_ name: String) throws(StorageError) -> [String: Any] {
        guard StorageError.isGood(name: name) else { throw .badName(name) }
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: name,
            // On macOS, this selects the data-protection keychain, which works like the Keychain of other platforms.
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
        return item
    }

    private func check(
        _ accepted: [OSStatus], _ status: OSStatus, _ name: String
    ) throws(StorageError) {
        guard accepted.contains(status) else {
            throw .notWritten(path(name), "the Keychain returned the status \(status)")
        }
    }

    private func path(_ name: String) -> String { "keychain:\(service)/\(name)" }
}
#endif
