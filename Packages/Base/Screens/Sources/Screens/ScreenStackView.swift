#if canImport(SwiftUI)
import Pages
import SwiftUI

/// Shows the screens of a stack in a navigation stack: the screens of modules that have their own, and the pages of others.
public struct ScreenStackView<Absent: View>: View {
    @Bindable private var stack: ScreenStack
    private let absent: (PageAddress) -> Absent

    /// Creates the view.
    ///
    /// - Parameters:
    ///   - stack: The stack. Keep it in a `@State` of the window's view, so that each window has its own.
    ///   - absent: Makes the view for an address whose module is not in this app.
    public init(_ stack: ScreenStack, @ViewBuilder absent: @escaping (PageAddress) -> Absent) {
        (self.stack, self.absent) = (stack, absent)
    }

    public var body: some View {
        NavigationStack(path: $stack.path) {
            first.navigationDestination(for: Int.self) { id in
                if let screen = stack.pushed.first(where: { $0.id == id }) { view(of: screen) }
            }
        }
    }

    @ViewBuilder private var first: some View {
        if let first = stack.first { view(of: first).id(stack.owner) } else { ProgressView() }
    }

    @ViewBuilder private func view(of screen: StackedScreen) -> some View {
        if let page = screen.page {
            let go: Go = { try await stack.go($0, from: screen.id) }
            if let page = page as? any Screen {
                page.view(go)
            } else if let view = controllerView(of: page, go) {
                view
            } else {
                PageView(page, message: screen.message, go: go)
            }
        } else if let address = screen.address {
            absent(address)
        }
    }

    private func controllerView(of page: any Page, _ go: @escaping Go) -> AnyView? {
        #if os(iOS) || os(tvOS) || os(visionOS)
        (page as? any ControllerScreen).map { AnyView(ControllerView(page: $0, go: go)) }
        #else
        nil
        #endif
    }
}

extension Screen {
    fileprivate func view(_ go: @escaping Go) -> AnyView { AnyView(screen(go: go)) }
}

#if os(iOS) || os(tvOS) || os(visionOS)
import UIKit

private struct ControllerView: UIViewControllerRepresentable {
    let page: any ControllerScreen
    let go: Go

    func makeUIViewController(context: Context) -> UIViewController { page.viewController(go: go) }

    func updateUIViewController(_ controller: UIViewController, context: Context) {}
}
#endif
#endif
