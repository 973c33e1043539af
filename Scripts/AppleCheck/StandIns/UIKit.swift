// The parts of Apple's UIKit that the modules and the example in the app's README use. UIKit is missing on macOS, and
// watchOS has no UIApplication.
@_exported import Foundation

@available(watchOS, unavailable) @MainActor open class UIApplication {
    public class var shared: UIApplication { UIApplication() }

    public class var didBecomeActiveNotification: Notification.Name { Notification.Name("") }
    public class var didEnterBackgroundNotification: Notification.Name { Notification.Name("") }
    public class var didReceiveMemoryWarningNotification: Notification.Name { Notification.Name("") }
    public class var willTerminateNotification: Notification.Name { Notification.Name("") }

    nonisolated open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { .invalid }
    nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}

@available(watchOS, unavailable) public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
    public static let invalid = UIBackgroundTaskIdentifier()
}

@available(watchOS, unavailable) @MainActor open class UIViewController {
    public init(nibName: String?, bundle: Bundle?) {}
    public required init?(coder: NSCoder) {}
    public convenience init() { self.init(nibName: nil, bundle: nil) }
}
