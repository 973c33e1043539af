/// Builds a list of modules in which `#if` may leave modules out, as in an app's list of registrations.
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
