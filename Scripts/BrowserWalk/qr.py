"""Reads QR codes of version 2 in alphanumeric mode (ISO/IEC 18004), to test the codes that the sample draws.

It follows the standard, and shares nothing with the encoder in Apps/Demo. A damaged code is refused, not repaired.
"""

SIZE = 25
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
# By the level's two bits: the level and its number of check codewords. Version 2 has 44 codewords in one block.
LEVELS = {1: ("L", 10), 0: ("M", 16), 3: ("Q", 22), 2: ("H", 28)}
MASKS = [
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: (row * column) % 2 + (row * column) % 3 == 0,
    lambda row, column: ((row * column) % 2 + (row * column) % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + (row * column) % 3) % 2 == 0,
]


class Unreadable(Exception):
    """The modules are no QR code."""


def read(dark):
    """Returns the text of the code whose dark modules are a set of (row, column)."""
    check_patterns(dark)
    level, mask = format_of(dark)
    bits = []
    for row, column in path():
        bits.append(((row, column) in dark) != MASKS[mask](row, column))
    words = [sum(bit << 7 - i for i, bit in enumerate(bits[start:start + 8])) for start in range(0, 44 * 8, 8)]
    check_words(words, LEVELS[level][1])
    return text_of(words[:44 - LEVELS[level][1]])


def check_patterns(dark):
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    alignment = ["11111", "10001", "10101", "10001", "11111"]
    for pattern, top, left in ((finder, 0, 0), (finder, 0, 18), (finder, 18, 0), (alignment, 16, 16)):
        for row, line in enumerate(pattern):
            for column, bit in enumerate(line):
                if ((top + row, left + column) in dark) != (bit == "1"):
                    raise Unreadable(f"the pattern at {top}, {left} is damaged")
    for i in range(8, 17):
        if ((6, i) in dark) != (i % 2 == 0) or ((i, 6) in dark) != (i % 2 == 0):
            raise Unreadable("the timing pattern is damaged")
    for i in range(8):
        if {(7, i), (i, 7), (7, 24 - i), (i, 17), (17, i), (24 - i, 7)} & dark:
            raise Unreadable("a separator is damaged")


def format_of(dark):
    """The level and the mask, from both copies of the format."""
    around = [(8, i) for i in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    apart = [(24 - i, 8) for i in range(7)] + [(8, 17 + i) for i in range(8)]
    first, second = (sum((place in dark) << 14 - i for i, place in enumerate(places)) for places in (around, apart))
    if first != second:
        raise Unreadable(f"the formats {first:015b} and {second:015b} differ")
    format = first ^ 0b101010000010010
    rest = format
    for bit in range(14, 9, -1):
        if rest >> bit & 1:
            rest ^= 0b10100110111 << bit - 10
    if rest:
        raise Unreadable("the format is damaged")
    if (17, 8) not in dark:
        raise Unreadable("the dark module is light")
    return format >> 13, format >> 10 & 7


def path():
    """The places of the data, in the order in which they are read."""
    def is_data(row, column):
        finders = (row < 9 and (column < 9 or column > 16)) or (row > 16 and column < 9)
        return not (finders or row == 6 or column == 6 or (16 <= row <= 20 and 16 <= column <= 20))

    rows, columns = list(range(SIZE)), [column for column in range(SIZE - 1, -1, -1) if column != 6]
    for index in range(0, len(columns), 2):
        for row in reversed(rows) if index % 4 == 0 else rows:
            yield from ((row, column) for column in columns[index:index + 2] if is_data(row, column))


def check_words(words, count):
    """The codewords are a polynomial whose roots are the powers of 2 in the field of 256 elements."""
    powers = [1]
    while len(powers) < 255:
        powers.append(powers[-1] * 2 ^ (0x11D if powers[-1] > 127 else 0))
    logarithms = {power: i for i, power in enumerate(powers)}
    for root in range(count):
        value = 0
        for word in words:
            value = (powers[(logarithms[value] + root) % 255] if value else 0) ^ word
        if value:
            raise Unreadable("the codewords are damaged")


def text_of(words):
    bits = "".join(f"{word:08b}" for word in words)
    position = 0

    def take(count):
        nonlocal position
        position += count
        return int(bits[position - count:position], 2)

    if take(4) != 0b0010:
        raise Unreadable("the text is not alphanumeric")
    length, text = take(9), ""
    while len(text) + 1 < length:
        pair = take(11)
        text += ALPHABET[pair // 45] + ALPHABET[pair % 45]
    return text + (ALPHABET[take(6)] if len(text) < length else "")
