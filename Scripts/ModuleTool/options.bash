# Sourced by `launch` and by Scripts/test, which share one build of the tool. Reads `tool`, the folder of the
# package, and sets `build`, the build folder, `options`, the arguments of `swift build` and `swift test`, and
# `library`, the toolchain's library that the tool links, if any.
#
# MODULETOOL_OPTIMISED=1      builds with optimisation: several times as fast, and slower to build. For large trees.
# MODULETOOL_SYNTAX=package   compiles swift-syntax even if the toolchain contains it, as an optimised build does.
# MODULETOOL_SYNTAX=toolchain links the toolchain's swift-syntax if the toolchain contains it: the default.
if [ -n "${MODULETOOL_OPTIMISED-}" ]; then form=optimised; else form=default; fi
syntax=${MODULETOOL_SYNTAX:-toolchain}
# The toolchain's swift-syntax needs no compiling, but parses several times as slowly as one built with -O.
if [ $form = optimised ]; then syntax=package; fi
build=$tool/.build-launch/$form-$syntax
library=
options=(--package-path "$tool" --scratch-path "$build" -debug-info-format none)
# Optimises each file separately: takes a third of the time of `-c release`, and is fast enough (see the README).
if [ $form = optimised ]; then options+=(-Xswiftc -O); fi
if [ "$syntax" = toolchain ]; then
    # Ignores a missing toolchain, because `swift build` reports it.
    host=$({ swift -print-target-info 2>/dev/null || true; } | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host
    if [ -e "$host/SwiftParser.swiftmodule" ] && [ -e "$host/libSwiftParser.so" ]; then
        library=$host/libSwiftParser.so
        options+=(--disable-default-traits -Xswiftc "-I$host" -Xlinker "-L$host" -Xlinker -rpath -Xlinker "$host"
            -Xlinker -lSwiftParser -Xlinker -lSwiftSyntax)
    fi
fi
