/// The routes of PayType.
public enum PayTypeRoute {
    /// The page on which the passenger picks: a page, `[String: String]`. May be called from outside the app.
    public static let main = "pay_type_vc"
    /// Picks the pay type of this identifier, and answers its name: a `String`. Local.
    public static let select = "pay_type/select/:id"
}
