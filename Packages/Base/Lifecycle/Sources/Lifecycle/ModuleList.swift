/// Builds a list of modules, such as an app's registrations. Modules can be left out with `#if`.
///
/// ```swift
/// @ModuleList var modules: [any Module] {
///     #if Ride
///     RideModule()
///     #endif
/// }
/// ```
@resultBuilder
public enum ModuleList {
    /// The modules in the listed order.
    public static func buildBlock(_ modules: any Module...) -> [any Module] { modules }
}
