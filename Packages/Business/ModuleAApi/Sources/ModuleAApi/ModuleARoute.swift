/// The routes of ModuleA.
public enum ModuleARoute {
    /// The route of ModuleA's description. It returns one line, a `String`, and may be called from outside
    /// the app.
    public static let describe = "moduleA/describe"
}
