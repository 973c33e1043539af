extension Manifest: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(name)
        writer.write(dependencies)
        writer.write(products)
        writer.write(targets)
        writer.write(traits.sorted())
        writer.write(defaultTraits.sorted())
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        name = try reader.string()
        dependencies = try reader.array()
        products = try reader.array()
        targets = try reader.array()
        traits = Set(try reader.strings())
        defaultTraits = Set(try reader.strings())
    }
}

extension Manifest.Dependency: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(identity)
        writer.write(path)
        let parts: [String] =
            switch requirement {
            case nil: []
            case .range(let lower, let upper): ["range", lower, upper]
            case .exact(let version): ["exact", version]
            case .branch(let name): ["branch", name]
            case .revision(let id): ["revision", id]
            }
        writer.write(parts)
        position.encode(into: &writer)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        identity = try reader.string()
        path = try reader.optionalString()
        let parts = try reader.strings()
        requirement =
            switch (parts.first, parts.count) {
            case (nil, _): nil
            case ("range", 3): .range(lower: parts[1], upper: parts[2])
            case ("exact", 2): .exact(parts[1])
            case ("branch", 2): .branch(parts[1])
            case ("revision", 2): .revision(parts[1])
            default: throw TornBytes()
            }
        position = try Position(from: &reader)
    }
}

extension Manifest.Product: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(name)
        writer.write(targets)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        name = try reader.string()
        targets = try reader.strings()
    }
}

extension Manifest.Target: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(name)
        writer.write(kind.rawValue)
        writer.write(path)
        writer.write(exclude)
        writer.write(sources != nil)
        writer.write(sources ?? [])
        writer.write(dependencies)
        position.encode(into: &writer)
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        name = try reader.string()
        guard let kind = Manifest.TargetKind(rawValue: try reader.string()) else { throw TornBytes() }
        self.kind = kind
        path = try reader.optionalString()
        exclude = try reader.strings()
        let hasSources = try reader.bool()
        let list = try reader.strings()
        sources = hasSources ? list : nil
        dependencies = try reader.array()
        position = try Position(from: &reader)
    }
}

extension Manifest.TargetDependency: ByteCodable {
    func encode(into writer: inout ByteWriter) {
        writer.write(name)
        writer.write(package)
        writer.write(traits.sorted())
        writer.write(position.map { [$0] } ?? [])
    }

    init(from reader: inout ByteReader) throws(TornBytes) {
        name = try reader.string()
        package = try reader.optionalString()
        traits = Set(try reader.strings())
        position = try reader.array(of: Position.self).first
    }
}
