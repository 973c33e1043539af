/// The routes of PayType.
public enum PayTypeRoute {
    /// The route of the page that offers the payment methods. It returns an
    /// `any Page`, and may be called from outside the app.
    public static let main = "pay_type_vc"
    /// The route that selects the payment method with the identifier `id`. It returns the name of the payment
    /// method, a `String`, and can only be called from inside the app.
    public static let select = "pay_type/select/:id"
}
