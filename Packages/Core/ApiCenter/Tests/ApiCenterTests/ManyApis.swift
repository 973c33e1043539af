import ApiCenter

/// A family of Apis, one for each `Tag`.
struct Next<Tag>: Sendable {
    let number: Int
}

/// One of many Apis, type-erased, with the operations that tests need.
struct OneOfMany: Sendable {
    let number: Int
    let register: @Sendable (ApiCenter) -> Void
    /// Registers a builder that requests another Api and uses the given number of bytes of stack.
    let registerNeeding: @Sendable (OneOfMany, Int, ApiCenter) -> Void
    /// Registers a builder of a session of its own, which is built from `EndingTests.Account`.
    let registerInSession: @Sendable (ApiCenter) -> Void
    let remove: @Sendable (ApiCenter) -> Void
    let resolve: @Sendable (ApiCenter) -> Int?

    init<Tag>(_ tag: Tag.Type, number: Int) {
        self.number = number
        register = { $0.registerApi(type: Next<Tag>.self) { Next<Tag>(number: number) } }
        registerNeeding = { other, bytes, center in
            center.register(Next<Tag>.self) { center in
                usingStack(bytes) { _ = other.number(in: center) }
                return Next<Tag>(number: number)
            }
        }
        registerInSession = {
            $0.register(Next<Tag>.self, scope: .session(Tag.self)) { center in
                _ = center.api(type: EndingTests.Account.self)
                return Next<Tag>(number: number)
            }
        }
        remove = { $0.removeApi(api: Next<Tag>.self) }
        resolve = { $0.api(type: Next<Tag>.self)?.number }
    }

    func register(in center: ApiCenter) { register(center) }
    func remove(from center: ApiCenter) { remove(center) }
    func number(in center: ApiCenter) -> Int? { resolve(center) }
}

/// Runs `body` at least `bytes` bytes further down the stack.
@inline(never)
private func usingStack(_ bytes: Int, below start: UInt? = nil, _ body: () -> Void) {
    // An allocation of up to 1 KB is always on the stack. Its address is only compared.
    unsafe withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { memory in
        let address = UInt(bitPattern: memory.baseAddress)
        let start = start ?? address
        if Int(start - address) < bytes { usingStack(bytes, below: start, body) } else { body() }
        // Keeps the compiler from removing the allocation.
        unsafe memory[0] = 1
    }
}

/// Makes `count` Apis of different types, numbered from 1.
///
/// Each type encodes its number in base 10, with one type parameter per digit.
func manyApis(count: Int) -> [OneOfMany] {
    enum Zero {}
    struct Digit<Rest, D> {}
    func of<Rest>(_ rest: Rest.Type, _ digits: ArraySlice<Int>, number: Int) -> OneOfMany {
        guard let digit = digits.first else { return OneOfMany(rest, number: number) }
        let tail = digits.dropFirst()
        switch digit {
        case 0: return of(Digit<Rest, Int8>.self, tail, number: number)
        case 1: return of(Digit<Rest, Int16>.self, tail, number: number)
        case 2: return of(Digit<Rest, Int32>.self, tail, number: number)
        case 3: return of(Digit<Rest, Int64>.self, tail, number: number)
        case 4: return of(Digit<Rest, UInt8>.self, tail, number: number)
        case 5: return of(Digit<Rest, UInt16>.self, tail, number: number)
        case 6: return of(Digit<Rest, UInt32>.self, tail, number: number)
        case 7: return of(Digit<Rest, UInt64>.self, tail, number: number)
        case 8: return of(Digit<Rest, Float>.self, tail, number: number)
        default: return of(Digit<Rest, Double>.self, tail, number: number)
        }
    }
    return (1...count).map { number in
        of(Zero.self, String(number).compactMap(\.wholeNumberValue)[...], number: number)
    }
}
