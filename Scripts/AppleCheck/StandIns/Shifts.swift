// On watchOS, Int and UInt have 32 bits. The check replaces shifts by 32 bits or more with `<<<<` and `>>>>`.
// For Int and UInt, the compiler then picks the deprecated operators.
infix operator <<<< : BitwiseShiftPrecedence
infix operator >>>> : BitwiseShiftPrecedence

@available(*, deprecated, message: "APPLECHECK") public func <<<< (a: Int, b: Int) -> Int { a }
@available(*, deprecated, message: "APPLECHECK") public func <<<< (a: UInt, b: Int) -> UInt { a }
@available(*, deprecated, message: "APPLECHECK") public func >>>> (a: Int, b: Int) -> Int { a }
@available(*, deprecated, message: "APPLECHECK") public func >>>> (a: UInt, b: Int) -> UInt { a }
public func <<<< <T: FixedWidthInteger>(a: T, b: some BinaryInteger) -> T { a }
public func >>>> <T: FixedWidthInteger>(a: T, b: some BinaryInteger) -> T { a }
