#if canImport(SwiftUI)
import SwiftUI

extension LifecycleEvent {
    /// Creates the event for a SwiftUI app's new scene phase; nil for `inactive`, which modules do not need.
    ///
    /// ```swift
    /// .onChange(of: scenePhase) { _, phase in
    ///     if let event = LifecycleEvent(phase) { host.post(event) }
    /// }
    /// ```
    ///
    /// Source: Apple, `ScenePhase`: https://developer.apple.com/documentation/swiftui/scenephase
    public init?(_ phase: ScenePhase) {
        switch phase {
        case .active: self = .active
        case .background: self = .background
        case .inactive: return nil
        @unknown default: return nil
        }
    }
}
#endif

#if canImport(UIKit) && !os(watchOS)
import UIKit

extension LifecycleEvent {
    /// The events that correspond to notifications of `UIApplication`, by notification name. Use them in an
    /// app without SwiftUI, and for events that SwiftUI does not report.
    ///
    /// Source: Apple, `UIApplication`: https://developer.apple.com/documentation/uikit/uiapplication
    @MainActor public static let notifications: [Notification.Name: LifecycleEvent] = [
        UIApplication.didBecomeActiveNotification: .active,
        UIApplication.didEnterBackgroundNotification: .background,
        UIApplication.didReceiveMemoryWarningNotification: .memoryWarning,
        UIApplication.willTerminateNotification: .terminate,
    ]
}
#endif
