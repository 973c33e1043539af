// The parts of Apple's SwiftUI that the modules and the example in the app's README use.
@_exported import Foundation
import Observation

#if canImport(UIKit)
import UIKit
#endif

public enum ScenePhase: Comparable, Sendable {
    case background, inactive, active
}

// MARK: Apps and scenes

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor @preconcurrency public static func main() {}
}

@MainActor @preconcurrency public protocol Scene {}

@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

nonisolated public struct WindowGroup<Content: View>: Scene {
    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

extension Scene {
    nonisolated public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping (_ old: Value, _ new: Value) -> Void
    ) -> some Scene { self }
}

// MARK: Views and their state

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

// The views of SwiftUI itself, which have no body.
extension Never: View {
    public typealias Body = Never
}

extension View where Body == Never {
    public var body: Never { fatalError("not called") }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView()
    }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<
        First, Second
    > {
        _ConditionalContent()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<
        First, Second
    > {
        _ConditionalContent()
    }
}

nonisolated public struct TupleView<Content>: View {}

public struct VStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct ZStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
}

/// A view of any type.
nonisolated public struct AnyView: View {
    nonisolated public init<Content: View>(_ view: Content) {}
}

nonisolated public struct _ConditionalContent<First, Second>: View {}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("not called") }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
}

public struct List<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct NavigationStack<Root: View>: View {
    public init<Element: Hashable>(path: Binding<[Element]>, @ViewBuilder root: () -> Root) {}
}

public struct Button<Label: View>: View {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
    @_disfavoredOverload public init<Title: StringProtocol>(
        _ title: Title, action: @escaping @MainActor () -> Void
    ) {}
}

public struct ProgressView: View {
    public init() {}
}

public struct Link: View {
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, destination: URL) {}
}

public struct LabeledContent: View {
    @_disfavoredOverload public init<Title: StringProtocol, Value: StringProtocol>(
        _ title: Title, value: Value
    ) {}
}

public struct TextField: View {
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
}

public struct SecureField: View {
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
}

public struct Toggle: View {
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title, isOn: Binding<Bool>) {}
}

public struct Picker<Value: Hashable, Content: View>: View {
    @_disfavoredOverload public init<Title: StringProtocol>(
        _ title: Title, selection: Binding<Value>, @ViewBuilder content: () -> Content
    ) {}
}

extension View {
    nonisolated public func id<ID: Hashable>(_ id: ID) -> some View { self }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

    nonisolated public func onChange<Value: Equatable>(
        of value: Value, initial: Bool = false, _ action: @escaping (_ old: Value, _ new: Value) -> Void
    ) -> some View { self }

    nonisolated public func disabled(_ disabled: Bool) -> some View { self }

    @_disfavoredOverload nonisolated public func navigationTitle<Title: StringProtocol>(_ title: Title)
        -> some View
    {
        self
    }

    nonisolated public func navigationDestination<Value: Hashable, Content: View>(
        for data: Value.Type, @ViewBuilder destination: @escaping (Value) -> Content
    ) -> some View { self }

    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }

    nonisolated public func task<ID: Equatable>(
        id: ID, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }

    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }
}

nonisolated public struct Text: View {
    @_disfavoredOverload public init<Content: StringProtocol>(_ content: Content) {}
}

#if os(iOS) || os(tvOS) || os(visionOS)
/// A view controller in a view.
@MainActor @preconcurrency public protocol UIViewControllerRepresentable: View where Body == Never {
    associatedtype UIViewControllerType: UIViewController
    typealias Context = UIViewControllerRepresentableContext<Self>
    @MainActor @preconcurrency func makeUIViewController(context: Context) -> UIViewControllerType
    @MainActor @preconcurrency func updateUIViewController(
        _ controller: UIViewControllerType, context: Context)
}

@MainActor @preconcurrency public struct UIViewControllerRepresentableContext<Content> {}
#endif

/// Views that Xcode shows beside the code.
@MainActor @preconcurrency public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

public struct EnvironmentValues: Sendable {
    public var scenePhase: ScenePhase { .active }
}

@propertyWrapper public struct Environment<Value> {
    public init(_ path: KeyPath<EnvironmentValues, Value>) {
        wrappedValue = EnvironmentValues()[keyPath: path]
    }
    public let wrappedValue: Value
}

@propertyWrapper public struct State<Value> {
    private let value: Value
    public init(wrappedValue: Value) { value = wrappedValue }
    public init(initialValue: Value) { value = initialValue }
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { Binding(value) }
}

/// A text that the system keeps for a window, also after the app has ended.
@propertyWrapper public struct SceneStorage<Value> {
    private let value: Value
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
}

extension SceneStorage where Value == String {
    public init(wrappedValue: Value, _ key: String) { value = wrappedValue }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    private let value: Value
    init(_ value: Value) { self.value = value }
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(value[keyPath: path])
    }
}

/// Bindings to the properties of an observable object.
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject & Observable> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public subscript<Subject>(dynamicMember path: ReferenceWritableKeyPath<Value, Subject>) -> Binding<
        Subject
    > {
        Binding(wrappedValue[keyPath: path])
    }
}
