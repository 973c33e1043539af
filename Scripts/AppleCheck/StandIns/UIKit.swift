// The part of Apple's UIKit that the modules use. It is missing on macOS, and watchOS has no UIApplication.
@_exported import Foundation

@available(watchOS, unavailable) @MainActor open class UIApplication {
    public class var didBecomeActiveNotification: Notification.Name { Notification.Name("") }
    public class var didEnterBackgroundNotification: Notification.Name { Notification.Name("") }
    public class var didReceiveMemoryWarningNotification: Notification.Name { Notification.Name("") }
    public class var willTerminateNotification: Notification.Name { Notification.Name("") }
}
