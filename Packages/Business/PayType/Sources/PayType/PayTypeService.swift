import PayTypeApi

/// PayType's IMP: an object, built once for everybody.
final class PayTypeService: PayTypeApiProtocol {
    func introduction() -> String { "I am PayType." }
}
