import URLGrammar

extension RoutePattern {
    /// Builds a URL that matches this pattern: the inverse of matching.
    ///
    /// Matching the URL against this pattern restores the parameters: a typed path parameter as a value of its type,
    /// every other parameter as a `String` or `[String]`. An optional group is included if every parameter directly in
    /// it is passed. A group that declares no parameters is omitted, and so is a group whose parameters are all in
    /// nested groups if none of them is passed.
    ///
    /// - Parameter parameters: The values by name. A value that is not a path parameter becomes a query item; query
    ///   items are sorted by name. A value is a `String`, an integer, a finite floating-point number or a
    ///   `Bool`. A wildcard or a repeated query name also takes an array of strings or integers.
    /// - Returns: The URL; its `description` is the text.
    /// - Throws: ``RouteError`` with `badParameter` if a parameter is missing or has the wrong type, or with
    ///   `notPrintable` if matching would not restore a value: an empty path segment, an empty array, a
    ///   reserved name (`@…`), or a value equal to a literal of the pattern.
    /// - Complexity: O(length of the URL).
    public func url(_ parameters: [String: any Sendable] = [:]) throws(RouteError) -> AppURL {
        let names = Set(parameterNames)
        var query: [AppURL.QueryItem] = []
        for (key, value) in parameters.sorted(by: { $0.key < $1.key }) where !names.contains(key) {
            if AppURL.isReserved(key) {
                throw RouteError(
                    .notPrintable, pattern: description, key: key, detail: "the name \"\(key)\" is reserved")
            }
            let texts = try texts(of: value, key: key)
            if texts.isEmpty { throw lost(key) }
            // An array of one string is printed like the string itself, and matching returns a `String`.
            query += texts.map { AppURL.QueryItem(name: key, value: $0) }
        }
        return try url(path: parameters.filter { names.contains($0.key) }, query: query, fragment: nil)
    }

    /// Builds the URL from path parameters and a query. Every path parameter must occur in the pattern.
    func url(
        path values: [String: any Sendable], query: [AppURL.QueryItem], fragment: String?
    ) throws(RouteError) -> AppURL {
        var used: Set<String> = []
        let segments = try print(items, values, &used)
        if let unused = values.keys.sorted().first(where: { !used.contains($0) }) {
            throw RouteError(
                .badParameter, pattern: description, key: unused,
                detail:
                    "is passed, but another parameter of its group is missing. A URL contains the whole group or "
                    + "none of it. Pass all parameters of the group, or none of them")
        }
        try checkReadsBack(segments, values)
        let path = hasHost ? Array(segments.dropFirst()) : segments
        do {
            return try AppURL(
                scheme: scheme, host: hasHost ? segments.first : nil, path: path, query: query,
                fragment: fragment)
        } catch {
            throw RouteError(.notPrintable, pattern: description, detail: error.what)
        }
    }

    private func print(
        _ items: [Item], _ values: [String: any Sendable], _ used: inout Set<String>
    ) throws(RouteError) -> [String] {
        var segments: [String] = []
        for item in items {
            switch item {
            case .group(let inner):
                let own = Self.names(in: inner, nested: false)
                let all = Self.names(in: inner, nested: true)
                if own.allSatisfy({ values[$0] != nil }), all.contains(where: { values[$0] != nil }) {
                    segments += try print(inner, values, &used)
                }
            case .segment(.literal(let text)): segments.append(text)
            case .segment(.wildcard(let name)):
                segments += try pathTexts(name, values, &used)
            case .segment(.parameter(let name, let type)):
                let texts = try pathTexts(name, values, &used)
                if let type, texts.count != 1 || !type.accepts(texts[0]) {
                    throw RouteError(
                        .badParameter, pattern: description, key: name, expected: type.rawValue,
                        found: "the text \(AppURL.quoted(texts.joined(separator: "/")))")
                }
                segments += texts
            }
        }
        return segments
    }

    private func pathTexts(
        _ name: String, _ values: [String: any Sendable], _ used: inout Set<String>
    ) throws(RouteError) -> [String] {
        guard let value = values[name] else {
            throw RouteError(
                ParameterError(key: name, expected: "a path parameter", found: nil), pattern: description)
        }
        used.insert(name)
        let texts = try texts(of: value, key: name)
        if texts.isEmpty || texts.contains("") { throw lost(name) }
        return texts
    }

    /// Matches the segments against the pattern, and throws if the match does not restore the values, for example
    /// because a value equals one of the pattern's literals.
    private func checkReadsBack(_ segments: [String], _ values: [String: any Sendable]) throws(RouteError) {
        let route = Route(pattern: self, priority: 0, isRemote: false, site: "", answer: .absent(module: ""))
        let trie = RouteTrie(shapes.map { RouteTrie.Leaf(route: route, shape: $0) })
        let found = trie.match(scheme: scheme, segments[...])?.shape.values(in: segments[...]).values
        guard let found, found.count == values.count else { throw lost(values.keys.min() ?? "") }
        for shape in shapes {
            for segment in shape.segments {
                guard let name = segment.name, let value = values[name] else { continue }
                var expected = try texts(of: value, key: name)
                // A `double` passed as 5 is read back as 5.0.
                if case .parameter(_, let type?) = segment, let typed = type.value(of: expected[0]) {
                    expected = try texts(of: typed, key: name)
                }
                guard let other = found[name], try texts(of: other, key: name) == expected else {
                    throw lost(name)
                }
            }
        }
    }

    /// The strings that represent a value in a URL; an array has one string for each element.
    func texts(of value: any Sendable, key: String) throws(RouteError) -> [String] {
        switch value {
        case let text as String: return [text]
        case let flag as Bool: return [flag ? "true" : "false"]
        case let number as Double where number.isFinite: return ["\(number)"]
        case let number as Float where number.isFinite: return ["\(number)"]
        case let number as any FixedWidthInteger: return ["\(number)"]
        case let texts as [String]: return texts
        case let numbers as [any FixedWidthInteger & Sendable]: return numbers.map { "\($0)" }
        default:
            throw RouteError(
                ParameterError(
                    key: key,
                    expected: "a string, a finite number, a Bool, or an array of strings or integers",
                    found: "a value of type \(type(of: value))"), pattern: description)
        }
    }

    private func lost(_ key: String) -> RouteError {
        RouteError(
            .notPrintable, pattern: description, key: key,
            detail: "the URL would lose or change the value of \"\(key)\"")
    }
}
