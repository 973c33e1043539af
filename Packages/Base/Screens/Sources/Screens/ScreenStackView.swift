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
            // The container stays when the first screen arrives, and so does the destination.
            ZStack { first }.navigationDestination(for: StackedScreen.self) { view(of: $0) }
        }
    }

    @ViewBuilder private var first: some View {
        if let first = stack.first {
            view(of: first)
        } else if let failure = stack.failure {
            VStack {
                Text(PageError.from(failure).sentence)
                Button("Try again") { Task { await stack.load() } }
            }
        } else {
            ProgressView()
        }
    }

    /// A screen. Its identity keeps SwiftUI from giving its state to another one at the same depth.
    private func view(of screen: StackedScreen) -> some View {
        contents(of: screen) { try await stack.go($0, from: screen.id) }.id(screen.id)
    }

    @ViewBuilder private func contents(of screen: StackedScreen, go: @escaping Go) -> some View {
        // The value in the destination may be older than the message that an action has left.
        let message =
            stack.path.first { $0 == screen }?.message ?? (stack.first == screen ? stack.first?.message : nil)
        if let page = screen.page {
            if let page = page as? any Screen {
                VStack {
                    if let message { Text(message) }
                    page.view(go)
                }
            } else if let view = controllerView(of: page, go) {
                VStack {
                    if let message { Text(message) }
                    view.navigationTitle(page.title)
                }
            } else {
                PageView(page, message: message, go: go)
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
