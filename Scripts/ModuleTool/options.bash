# Sourced by `launch` and by Scripts/test, which share one build of the tool. Reads the variable `tool` (the package's
# folder), and sets `build` (the build folder), `options` (the arguments of `swift build` and `swift test`), `library`
# (the toolchain library that the tool links, if any) and `whole_modules`.
#
# MODULETOOL_SYNTAX=toolchain links the toolchain's swift-syntax if the toolchain contains it (the default).
# MODULETOOL_SYNTAX=package   compiles swift-syntax, which takes minutes but makes parsing several times faster.
syntax=${MODULETOOL_SYNTAX:-toolchain}
build=$tool/.build-launch/$syntax
library=
# One compiler process for each module and no index of the system's modules: a third less processor time. An edit of a
# body compiles only its module, but a new internal declaration also compiles the modules that import its module.
whole_modules=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
    -Xswiftc -no-emit-module-separately-wmo -Xswiftc -disable-batch-mode -Xswiftc -index-ignore-system-modules)
options=(--package-path "$tool" --scratch-path "$build" -debug-info-format none)
# Optimises each file of swift-syntax separately, which takes a third of the time of `-c release`.
if [ "$syntax" = package ]; then options+=(-Xswiftc -O); fi
if [ "$syntax" = toolchain ]; then
    # Ignores a missing toolchain, because `swift build` reports it.
    host=$({ swift -print-target-info 2>/dev/null || true; } | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host
    if [ -e "$host/SwiftParser.swiftmodule" ] && [ -e "$host/libSwiftParser.so" ]; then
        library=$host/libSwiftParser.so
        options+=("${whole_modules[@]}")
        options+=(--disable-default-traits --traits Optimised -Xswiftc "-I$host" -Xlinker "-L$host" -Xlinker -rpath
            -Xlinker "$host" -Xlinker -lSwiftParser -Xlinker -lSwiftSyntax)
    fi
fi
