#if canImport(SwiftUI)
import Pages
import SwiftUI

/// A page that has a screen of its own in SwiftUI. The module's route answers with the page, like every route of a page.
/// Callers without SwiftUI, such as a browser, show the page; ``ScreenStackView`` shows the screen instead.
///
/// ```swift
/// extension RidePage: Screen {
///     func screen(go: @escaping Go) -> some View { RideScreen(page: self, go: go) }
/// }
/// ```
///
/// Source: seed 2 (a module's views) and seed 4 (a route's answer).
@MainActor public protocol Screen: Page {
    /// The type of the view.
    associatedtype Content: View

    /// Makes the view. SwiftUI may call this method often, so it must not call a route or wait for an Api.
    ///
    /// - Parameter go: Shows what comes next.
    @ViewBuilder func screen(go: @escaping Go) -> Content
}

#if os(iOS) || os(tvOS) || os(visionOS)
import UIKit

/// A page whose screen is a view controller.
@MainActor public protocol ControllerScreen: Page {
    /// Makes the view controller. Called once for each push, and for a first screen again when the user changes.
    ///
    /// - Parameter go: Shows what comes next.
    func viewController(go: @escaping Go) -> UIViewController
}
#endif
#endif
