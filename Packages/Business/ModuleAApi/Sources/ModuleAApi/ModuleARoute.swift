/// The routes of ModuleA.
public enum ModuleARoute {
    /// Who answers, in one line: a `String`. May be called from outside the app.
    public static let describe = "moduleA/describe"
}
