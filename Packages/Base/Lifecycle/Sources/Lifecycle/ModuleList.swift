/// Builds a list of modules in which `#if` may leave some out, as an app's list of registrations does.
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
    /// The modules, as listed.
    public static func buildBlock(_ modules: any Module...) -> [any Module] { modules }
}
