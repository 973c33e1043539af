// On watchOS, Int and UInt have 32 bits. The check writes `<<<<` and `>>>>` for shifts by 32 and more, and the
// compiler chooses the deprecated operators exactly for those two types.
infix operator <<<< : BitwiseShiftPrecedence
infix operator >>>> : BitwiseShiftPrecedence

@available(*, deprecated, message: "APPLECHECK") public func <<<< (a: Int, b: Int) -> Int { a }
@available(*, deprecated, message: "APPLECHECK") public func <<<< (a: UInt, b: Int) -> UInt { a }
@available(*, deprecated, message: "APPLECHECK") public func >>>> (a: Int, b: Int) -> Int { a }
@available(*, deprecated, message: "APPLECHECK") public func >>>> (a: UInt, b: Int) -> UInt { a }
public func <<<< <T: FixedWidthInteger>(a: T, b: some BinaryInteger) -> T { a }
public func >>>> <T: FixedWidthInteger>(a: T, b: some BinaryInteger) -> T { a }
