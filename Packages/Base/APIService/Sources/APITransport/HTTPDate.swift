import Foundation

/// Dates in HTTP's three formats (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`,
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the date; `nil` if the text matches none of the formats.
    ///
    /// - Parameter now: The current date. A date with a two-digit year that would be more than 50 years in the future
    ///   is assumed to be in the 1900s.
    package static func date(_ text: String, now: Date) -> Date? {
        var parts = text.split { $0 == " " || $0 == "-" }.map(String.init)
        // `Sun Nov 6 08:49:37 1994` has the order month, day, time, year.
        if parts.count == 5, !parts[0].hasSuffix(",") {
            parts = [parts[0] + ",", parts[2], parts[1], parts[4], parts[3], "GMT"]
        }
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT",
            let day = Int(parts[1]), (1...31).contains(day), let month = months.firstIndex(of: parts[2]),
            let number = Int(parts[3]), (0...9999).contains(number)
        else { return nil }
        let time = parts[4].split(separator: ":").map { Int($0) ?? -1 }
        guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]),
            (0...60).contains(time[2])
        else { return nil }
        func date(_ year: Int) -> Date {
            let seconds = days(year: year, month: month + 1, day: day) * 86_400
            return Date(timeIntervalSince1970: Double(seconds + time[0] * 3_600 + time[1] * 60 + time[2]))
        }
        guard parts[3].count == 2 else { return date(number) }
        let limit = now.addingTimeInterval(50 * 365.25 * 86_400)
        return [2000, 1900].lazy.map { date($0 + number) }.first { $0 <= limit }
    }

    /// Returns the number of days from 1970-01-01 to a Gregorian date. For the calculation, years start in
    /// March.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
