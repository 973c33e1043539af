# Sourced by `launch` and by Scripts/test, which share one build of the tool. Reads the variable `tool` (the package's
# folder), and sets `build` (the build folder), `options` (the arguments of `swift build` and `swift test`) and
# `library` (the toolchain library that the tool links, if any).
#
# MODULETOOL_SYNTAX=toolchain links the toolchain's swift-syntax if the toolchain contains it (the default).
# MODULETOOL_SYNTAX=package   compiles swift-syntax, which takes minutes but makes parsing several times faster.
syntax=${MODULETOOL_SYNTAX:-toolchain}
build=$tool/.build-launch/$syntax
library=
options=(--package-path "$tool" --scratch-path "$build" -debug-info-format none)
# Package.swift reads this variable, and optimises the targets in which a check spends most of its time.
export MODULETOOL_OPTIMISED=1
# Optimises each file of swift-syntax separately, which takes a third of the time of `-c release`.
if [ "$syntax" = package ]; then options+=(-Xswiftc -O); fi
if [ "$syntax" = toolchain ]; then
    # Ignores a missing toolchain, because `swift build` reports it.
    host=$({ swift -print-target-info 2>/dev/null || true; } | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host
    if [ -e "$host/SwiftParser.swiftmodule" ] && [ -e "$host/libSwiftParser.so" ]; then
        library=$host/libSwiftParser.so
        # One compiler process for each module, as in Scripts/test: a quarter less processor time.
        options+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
            -Xswiftc -no-emit-module-separately-wmo -Xswiftc -disable-batch-mode -Xswiftc -index-ignore-system-modules)
        options+=(--disable-default-traits -Xswiftc "-I$host" -Xlinker "-L$host" -Xlinker -rpath -Xlinker "$host"
            -Xlinker -lSwiftParser -Xlinker -lSwiftSyntax)
    fi
fi
