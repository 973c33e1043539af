import PayTypeApi

/// Another IMP of PayType's Api: an object, built once for everybody.
final class PayTypeCashlessService: PayTypeApiProtocol {
    func introduction() -> String { "I am PayTypeCashless." }
}
