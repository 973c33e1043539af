import Foundation
import Locking

/// Observes notifications until the object is deallocated.
final class Listening: Sendable {
    private let notifications: NotificationCenter
    private let tokens: Locked<[any NSObjectProtocol]>

    init(to notifications: NotificationCenter, _ actions: [String: @Sendable () -> Void]) {
        self.notifications = notifications
        tokens = Locked(
            actions.map { name, action in
                notifications.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
                    action()
                }
            })
    }

    deinit {
        tokens.withLock { tokens in
            for token in tokens { notifications.removeObserver(token) }
        }
    }
}
