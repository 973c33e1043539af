#!/usr/bin/env bash
# Compiles the library modules for Apple's platforms on Linux, without an Apple SDK, and searches the tests for
# types that those platforms lack. AppleCheck/README.md describes the method and its limits.
#
# usage: Scripts/apple [--root FOLDER] [--without TRAIT]
#   --root FOLDER     the project's root; by default the one that contains this script
#   --without TRAIT   compile the modules of the apps without a default trait, such as that of a pair
#
# Exits with 0 without findings, with 1 for findings, with 2 for wrong arguments, and with 3 if it cannot run here.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(dirname "$(dirname "$here")")
without=
while [ $# -gt 0 ]; do
    case "$#:$1" in
    1:--help | 1:-h) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 0 ;;
    1:* | *:[!-]*) echo "apple: unknown arguments '$*'. Try: Scripts/apple --help" >&2 && exit 2 ;;
    *:--root) root=$(cd "$2" 2>/dev/null && pwd -P) || { echo "apple: there is no folder $2" >&2 && exit 2; } ;;
    *:--without) without=$2 ;;
    *) echo "apple: unknown arguments '$*'. Try: Scripts/apple --help" >&2 && exit 2 ;;
    esac
    shift 2
done

give_up() {
    printf 'apple: cannot run here: %s\n  why:  %s\n  fix:  %s\n' "$1" "$2" "$3" >&2
    exit 3
}

# --- The toolchain, the targets and the cache

[ "$(uname)" = Linux ] ||
    give_up 'this is not Linux' "the check replaces Xcode's SDKs, which Linux lacks" 'build with xcodebuild'
command -v swiftc >/dev/null ||
    give_up 'there is no swiftc in PATH' 'swiftc compiles the modules' 'install a Swift toolchain: https://swift.org/install'
info=$(swiftc -print-target-info)
value() { sed -n "s/.*\"$1\": *\"\(.*\)\".*/\1/p" <<<"$info" | head -n 1; }
host=$(value moduleTriple)
library=$(value runtimeResourcePath)/linux
synthesize=$(dirname "$(readlink -f "$(command -v swiftc)")")/swift-synthesize-interface
[ -x "$synthesize" ] && [ -e "$library/Swift.swiftmodule/$host.swiftinterface" ] || give_up \
    "the toolchain of $(command -v swiftc) lacks swift-synthesize-interface or its interfaces" \
    "the interfaces describe the libraries" 'install a toolchain of swift.org, 6.3 or later'

platforms="macOS iOS tvOS watchOS visionOS"
# target PLATFORM: prints a platform's target triple, with the deployment version from the root manifest.
target() {
    local version
    version=$(sed -n "s/.*\.$1(\.v\([0-9_]*\)).*/\1/p" "$root/Package.swift" | head -n 1)
    version=${version//_/.}
    case $1 in
    macOS) echo "arm64-apple-macosx${version:-15}" ;;
    watchOS) echo "arm64_32-apple-watchos${version:-11}" ;;
    visionOS) echo "arm64-apple-xros${version:-2}" ;;
    *) echo "arm64-apple-${1,,}${version:-18}" ;;
    esac
}
[ -e "$root/Package.swift" ] || give_up "$root has no Package.swift" 'Package.swift names the platforms' 'give another --root'

digest() { sha256sum | cut -c1-16; }
base=$({ swiftc --version 2>&1; for p in $platforms; do target "$p"; done; cat "$here"/check.bash "$here"/StandIns/*; } | digest)
caches=${XDG_CACHE_HOME:-$HOME/.cache}/applecheck-project
cache=$caches/$base
mkdir -p "$cache"
# A concurrent run waits for this one, and then uses its results.
exec 9>"$cache/lock"
flock 9
touch "$cache"
find "$caches" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +

# frontend PLATFORM ARGUMENTS: runs the compiler for a platform.
frontend() {
    local platform=$1
    shift
    swiftc -frontend "$@" -target "$(target "$platform")" -sdk "$cache/sdk" -I "$cache/$platform" -I "$here/StandIns" \
        -module-cache-path "$cache/clang" -plugin-path "${library%/*}/host/plugins" -disable-objc-interop \
        -diagnostic-style llvm
}

# Older declarations do not name visionOS. visionOS 1 corresponds to iOS 17, and visionOS 2 to iOS 18.
visionOS='/visionOS/!{s/\biOS (1[0-7]|[1-9])(\.[0-9.]+)?,/visionOS 1.0, &/
s/\biOS 18(\.[0-9]+)?,/visionOS 2\1, &/;s/\biOS (2[6-9])(\.[0-9]+)?,/visionOS \1\2, &/}'

# --- The libraries of a platform, in $cache/PLATFORM

# interface PLATFORM MODULE: makes a module from an interface, without function bodies. Declarations that do not compile
# are left out, together with their attributes and members.
interface() {
    local text=$cache/$1/$2.swiftinterface flags lines round
    flags=$(sed -n 's|^// swift-module-flags: ||p' "$text" | sed 's/-module-link-name [^ ]*//')
    for round in {1..12}; do
        # The flags contain no quotes, so word splitting separates them.
        # shellcheck disable=SC2086
        if frontend "$1" -emit-module -experimental-skip-all-function-bodies $flags -suppress-warnings \
            -o "$cache/$1/$2.new" "$text" 2>"$text.errors"; then
            mv "$cache/$1/$2.new" "$cache/$1/$2.swiftmodule"
            rm "$text" "$text.errors"
            return
        fi
        lines=$(sed -n "s|.*/$2\.swiftinterface:\([0-9]*\):[0-9]*: error:.*|\1|p" "$text.errors" | sort -un)
        [ -n "$lines" ] || break
        awk -v bad="$lines" '
            BEGIN { split(bad, list); for (i in list) wrong[list[i]] = 1 }
            end != "" { if ($0 == end) end = ""; print ""; next }
            /^ *@[A-Za-z_]+(\([^)]*\))?$/ && !(NR in wrong) { kept = kept $0 "\n"; count++; next }
            NR in wrong {
                for (; count > 0; count--) print ""
                kept = ""
                if (/\{$/) { match($0, /^ */); end = substr($0, 1, RLENGTH) "}" }
                print ""
                next
            }
            { printf "%s%s\n", kept, $0; kept = ""; count = 0 }' "$text" >"$text.new"
        mv "$text.new" "$text"
    done
    head -n 5 "$text.errors" >"$cache/$1/failure"
    return 1
}

# foundation PLATFORM MODULE TEXTS...: makes a module from the interface texts of Linux's Foundation modules.
foundation() {
    local platform=$1 module=$2
    shift 2
    {
        echo '// swift-interface-format-version: 1.0'
        echo "// swift-module-flags: -enable-library-evolution -swift-version 5 -module-name $module" \
            '-enable-experimental-feature Lifetimes -enable-experimental-feature LifetimeDependence'
        printf '@_exported import %s\n' Swift _Concurrency _StringProcessing Synchronization Darwin Dispatch
        [ "$module" = FoundationEssentials ] || printf 'import Security\n@_exported import FoundationEssentials\n'
        # Removes comments, imports and private setters. Adds accessors to stored properties, and lifetimes to spans.
        sed -E -e '/^ *\/\//d; /^import /d; /typealias NSRange$/d; s/\b(private|fileprivate|internal)\(set\) //g' \
            -e '/^public typealias (\w+) = .*\.\1$/d; s/\bFoundationNetworking\./Foundation./g; s/\bGlibc\./Darwin./g' \
            -e 's/^(.*\b)let (`?\w+`?: [^{]*[^{ ])( \{ get \})?$/\1var \2 { get }/' \
            -e 's/^(.*\bvar `?\w+`?: [^{]*|.*\bsubscript[(<][^{]*)$/\1 { get set }/' \
            -e 's/^(.*Span\b.*\{ )mutating get/\1@_lifetime(\&self) mutating get/' \
            -e 's/^(.*Span\b.*\{ )get/\1@_lifetime(borrow self) get/' "$@"
    } >"$cache/$platform/$module.swiftinterface"
    if [ "$platform" = visionOS ]; then sed -E -i "$visionOS" "$cache/$platform/$module.swiftinterface"; fi
    # Apple's Foundation has no processes on these platforms.
    if [ "$platform" != macOS ]; then
        sed -i "s/^open class Process /@available($platform, unavailable) &/" "$cache/$platform/$module.swiftinterface"
    fi
    interface "$platform" "$module"
}

# prepare PLATFORM: makes the libraries of a platform.
prepare() {
    local folder=$cache/$1 name
    [ ! -e "$folder/ready" ] || return 0
    rm -rf "$folder" && mkdir -p "$folder"
    for name in Swift SwiftOnoneSupport _Concurrency _Builtin_float _RegexParser _StringProcessing Synchronization \
        Observation Testing; do
        # Removes the Linux target, options and imports, and the @backDeployed attributes.
        sed -e "s/-target $host/-target $(target "$1")/; s/ -static / /; /^import Glibc/d; /@backDeployed(/d" \
            -e 's/_swift_stdlib_gettid()/(0 as UInt32)/' \
            "$library/$name.swiftmodule/$host.swiftinterface" >"$folder/$name.swiftinterface"
        if [ "$1" = visionOS ]; then sed -E -i "$visionOS" "$folder/$name.swiftinterface"; fi
        interface "$1" "$name" || return
    done
    for name in Darwin Dispatch Network Security Shifts os; do stand_in "$1" "$name" || return; done
    foundation "$1" FoundationEssentials "$cache/FoundationEssentials.text" && foundation "$1" Foundation \
        "$cache/Foundation.text" "$cache/FoundationNetworking.text" "$here/StandIns/Foundation.text" || return
    [ "$1" = macOS ] || stand_in "$1" UIKit || return
    stand_in "$1" SwiftUI || return
    touch "$folder/ready"
}

# Prints the name of the package that contains a module, for declarations with the access level `package`. The modules
# of apps are targets of the root package.
package() {
    local path=${files[$1]%%/Sources/*}
    path=${path%%/Tests/*}
    if [ -n "${of_app[$1]-}" ]; then path=root; fi
    echo "${path##*/}"
}

# stand_in PLATFORM MODULE: makes a module from a stand-in. As in an SDK, the module's enums are not frozen.
stand_in() {
    frontend "$1" -emit-module -enable-library-evolution -parse-as-library -module-name "$2" -o "$cache/$1/$2.swiftmodule" \
        "$here/StandIns/$2.swift" 2>"$cache/$1/failure"
}

mkdir -p "$cache/sdk"
for module in FoundationEssentials Foundation FoundationNetworking; do
    [ -s "$cache/$module.text" ] && continue
    "$synthesize" -module-name "$module" -print-fully-qualified-types -target "$host" -I "$library" \
        -module-cache-path "$cache/clang" >"$cache/$module.new" && mv "$cache/$module.new" "$cache/$module.text"
done

# --- The modules of the project

cd "$root"
# Prints the values of a key of .modules.yml, without quotes and comments.
configured() { sed -nE "s/^[- ]*$1: *//p" .modules.yml 2>/dev/null | sed "s/ *#.*//; s/[\"']//g"; }
# Prints a line for each layer in .modules.yml, with its folders, without layers of apps and those that may use third-party
# packages. A list may stand in one line or below its key; `deny:` says what a layer must not use.
layers() {
    awk '
        function item(  list) {
            if (text !~ / apps: true| allow:[^:]*third-party/ && match(text, / folders:[^:]*/)) {
                list = substr(text, RSTART + 9, RLENGTH - 9)
                sub(/ [A-Za-z-]+$/, "", list)  # the next key
                gsub(/[][,]/, " ", list); gsub(/ - /, " ", list)
                print list
            }
            text = ""
        }
        { sub(/(^| )#.*/, ""); gsub(/["\047]/, "") }
        /^[^ -]/ { item(); inside = /^layers:/; start = 0; next }
        inside && match($0, /^ *- /) { if (!start) start = RLENGTH; if (RLENGTH == start) { item(); sub(/- /, "  ") } }
        inside { text = text " " $0 " " }
        END { item() }' .modules.yml 2>/dev/null
}
mapfile -t layers < <(layers)
[ "${#layers[@]}" -gt 0 ] || layers=(Packages/Core Packages/Base Packages/Common Packages/Business)
declare -A files=() imports=() of_app=()
# add FOLDER [app]: adds the module whose sources are in a folder.
add() {
    local name sources
    name=$(basename "$1")
    sources=$([ ! -d "$1" ] || find "$1" -name '*.swift' | sort)
    [ -z "$sources" ] || files[$name]=$sources of_app[$name]=${2-}
}
for layer in "${layers[@]}"; do
    known=${#files[@]} packages=$(for folder in $layer; do
        [ ! -d "$folder" ] || find "$folder" -name Package.swift -not -path '*/.*' -not -path '*/Tests/*'
    done | sort)
    for manifest in $packages; do
        for sources in "${manifest%/*}"/{Sources/*,Tests/*Previews}/; do add "$sources"; done
    done
    # A layer without packages is new. A package without a known module is a mistake of this script.
    [ -z "$packages" ] || [ "$known" -lt "${#files[@]}" ] ||
        give_up "no module was found in the layer $layer" 'nothing of it would be compiled' 'put the sources of each module into Sources/MODULE'
done
# The modules of the apps, and the other libraries of the root package.
registrations=$(configured registrations)
for file in ${registrations:-Apps/Shell/Sources/AppModules/Registrations.swift}; do add "${file%/*}/" app; done
manifest=$(swift package dump-package) || give_up "Package.swift of $root cannot be read" 'the traits of its apps are unknown' 'run swift build'
for product in $(awk '/^  "products"/, /^  \]/ { if (/^      "name"/) name = $3; if (/"library" :/) print name }' <<<"$manifest" | tr -d '",'); do
    for sources in Apps/*/Sources/"$product"/; do add "$sources" app; done
done
# The example in the app's README is compiled only for iOS.
example=Apps/Shell/Tests/ShellTests/MetroApp.swift
[ ! -e $example ] || files[MetroApp]=$example of_app[MetroApp]=app
tops=$(printf '%s\n' "${files[@]}" | cut -d / -f 1 | sort -u)
[ "${#files[@]}" -gt 0 ] || give_up "$root has no modules in its layers" 'there is nothing to compile' 'give another --root'
for name in "${!files[@]}"; do
    # shellcheck disable=SC2086
    imports[$name]=$(sed -nE 's/^ *(@[A-Za-z]+ +)*((public|package|internal|private|fileprivate) +)?import +([a-z]+ +)?([A-Za-z_0-9]+).*/\5/p' \
        ${files[$name]} | sort -u | while read -r import; do
        if [ -n "${files[$import]-}" ] && [ "$import" != "$name" ]; then echo "$import"; fi
    done)
done
# Imported modules come before the modules that import them.
order=$(for name in "${!files[@]}"; do
    echo "$name $name"
    for import in ${imports[$name]}; do echo "$import $name"; done
done | tsort)
# The traits that the root manifest enables by default become compiler flags of the modules in Apps.
traits=$(awk '/^  "traits"/, /^  \]/ {
        if (/^    {/) names = ""
        if (/^        "/) names = names "-D " $1 "\n"
        if (/"name" : "default"/) printf "%s", names
    }' <<<"$manifest" | tr -d '",' | sort)
if [ -n "$without" ]; then
    grep -qxF -e "-D $without" <<<"$traits" || { echo "apple: $without is not a default trait of $root/Package.swift" >&2 && exit 2; }
    traits=$(grep -vxF -e "-D $without" <<<"$traits" || true)
fi
flags() {
    if [ "${files[$1]}" = "$example" ]; then echo "-D README_EXAMPLE"; elif [ -n "${of_app[$1]-}" ]; then echo "$traits"; fi
}
declare -A key
for name in $order; do
    # shellcheck disable=SC2086
    key[$name]=$({ sha256sum ${files[$name]}; flags "$name"; for import in ${imports[$name]}; do echo "${key[$import]}"; done; } | digest)
done

settings=(-swift-version 6 -strict-memory-safety -warnings-as-errors -Wwarning DeprecatedDeclaration
    -parse-as-library)

# output PLATFORM MODULE: prints the folder of a module's results. Other traits change the modules of the apps alone.
output() {
    local app=${of_app[$2]:+$without}
    echo "$cache/$1/modules${app:+-without-$app}"
}

# compile PLATFORM: compiles the modules for one platform. Skips modules that have not changed since they last compiled
# without errors.
compile() {
    local all=$cache/$1/modules folder name module
    for name in $order; do
        folder=$(output "$1" "$name") module=$(output "$1" "$name")/$name.swiftmodule
        mkdir -p "$folder"
        case $name:$1 in
        MetroApp:iOS) ;;
        MetroApp:*) : >"$folder/$name.errors" && continue ;;
        esac
        [ "$(cat "$module.key" 2>/dev/null)" != "${key[$name]}" ] || continue
        rm -f "$module.key"
        # shellcheck disable=SC2086
        if frontend "$1" -emit-module -module-name "$name" -package-name "$(package "$name")" -I "$folder" -I "$all" -o "$module" "${settings[@]}" \
            $(flags "$name") ${files[$name]} 2>"$folder/$name.errors"; then
            if [ "$1" = watchOS ]; then shifts "$name"; fi
            [ -s "$folder/$name.errors" ] || echo "${key[$name]}" >"$module.key"
        else
            # Builds a module even if it has errors, so that the modules that import it can be compiled.
            # shellcheck disable=SC2086
            frontend "$1" -emit-module -experimental-skip-all-function-bodies -disable-availability-checking \
                -module-name "$name" -package-name "$(package "$name")" -I "$folder" -I "$all" -o "$module" -swift-version 6 -suppress-warnings $(flags "$name") ${files[$name]} \
                2>/dev/null || true
            # An error outside the sources, such as in a stand-in, is a finding too.
            grep -qE "(${tops//$'\n'/|})/[^:]*:[0-9]+:[0-9]+: error: " "$folder/$name.errors" ||
                echo "$(head -n 1 <<<"${files[$name]}"):1:1: error: $(grep -m 1 'error: ' "$folder/$name.errors" || head -n 1 "$folder/$name.errors")" \
                    >>"$folder/$name.errors"
        fi
    done
}

# Finds shifts of an Int or UInt by 32 bits or more, with the operators of StandIns/Shifts.swift.
shifts() {
    local folder=$cache/watchOS/shifts errors file copies=() is_suspect=
    errors=$(output watchOS "$1")/$1.errors
    # Decimal and hexadecimal literals of 32 or more, which may contain `_`.
    local decimal='(3_*[2-9]|[4-9]_*[0-9]|[1-9](_*[0-9]){2,})[0-9_]*'
    local hexadecimal='0x[0_]*([2-9A-Fa-f]_*[0-9A-Fa-f]|1(_*[0-9A-Fa-f]){2,})[0-9A-Fa-f_]*'
    rm -rf "$folder" && mkdir -p "$folder"
    for file in ${files[$1]}; do
        mkdir -p "$folder/$(dirname "$file")"
        sed -E "s/(<<|>>)( *\(? *($decimal|$hexadecimal)\b)/\1\1\2/g" "$file" >"$folder/$file"
        cmp -s "$file" "$folder/$file" || is_suspect=1
        copies+=("$folder/$file")
    done
    [ -n "$is_suspect" ] || { : >"$errors" && return; }
    # shellcheck disable=SC2046
    { frontend watchOS -typecheck -import-module Shifts -module-name "$1" -package-name "$(package "$1")" -I "$(output watchOS "$1")" -I "$cache/watchOS/modules" \
        -swift-version 6 -parse-as-library $(flags "$1") "${copies[@]}" 2>&1 || true; } | sed -n "s|^$folder/\(.*\): warning: .*APPLECHECK.*|\1: error: this shifts an Int or UInt by 32 bits or more|p" \
        >"$errors"
}

# --- Uses of unavailable types in the tests

# Prints processes and exit tests outside `#if` blocks that exclude iOS, and `.wait()` of Dispatch in async code.
# Among closures, only those that are passed to `Task` and `addTask` count as async code.
scan_tests() {
    # shellcheck disable=SC2086
    find $tops -name '.build*' -prune -o -path '*/Tests/*' -name '*.swift' -print | sort | while read -r file; do
        package=$(dirname "${file%%/Tests/*}/x")
        grep -q '\.iOS(' "$package/Package.swift" 2>/dev/null ||
            { [ ! -e "$package/Package.swift" ] && grep -q '\.iOS(' Package.swift; } || continue
        awk -v file="$file" '
            function leaves_out(text) {
                if (text ~ /!os\(iOS\)/ || text ~ /canImport\((Glibc|Musl|FoundationNetworking)\)/) return 1
                return text ~ /os\((macOS|Linux)\)/ && text !~ /!os\(|os\(iOS\)/
            }
            {
                code = $0
                gsub(/\\"/, "", code)
                if (gsub(/"""/, "", code) % 2) { is_text = !is_text; next }
                if (is_text) next
                gsub(/"[^"]*"/, "", code)
                sub(/\/\/.*/, "", code)
            }
            code ~ /^ *#if/ { depth++; out[depth] = leaves_out(code); has_iOS[depth] = code ~ /[^!]os\(iOS\)/; next }
            code ~ /^ *#else/ { out[depth] = code ~ /#elseif/ ? leaves_out(code) : has_iOS[depth]; next }
            code ~ /^ *#endif/ { delete out[depth]; depth--; next }
            {
                # Records for each open brace whether it begins async code. A condition or loop is async if its context is.
                for (i = 1; i <= length(code); i++) {
                    char = substr(code, i, 1)
                    if (char == "{") {
                        if (match(head, /(^|[^A-Za-z_`.])(func|init) *[^{}]*$/)) kind = substr(head, RSTART) ~ /\) *async([^A-Za-z]|$)/
                        else if (head ~ /(^|[^A-Za-z])(Task|Task\.detached|addTask)( *\([^()]*\))? *$/) kind = 1
                        else if (head ~ /(^|\n) *(if|else|for|while|do|guard|switch|repeat|defer|catch)([^A-Za-z_][^\n]*)?$/) kind = async[level]
                        else kind = 0
                        async[++level] = kind
                        head = ""
                    } else if (char == "}") {
                        if (level > 0) level--
                        head = ""
                    } else head = head char
                    if (async[level] && substr(code, i, 7) == ".wait()" && head !~ /await [^\n]*$/) waits[NR] = i
                }
                head = head "\n"
            }
            {
                for (i = 1; i <= depth; i++) if (out[i]) next
                if (NR in waits) {
                    RSTART = waits[NR]
                    what = "wait() blocks in async code"
                } else if (match(code, /processExitsWith/)) what = "exit tests are unavailable"
                else if (match(code, /(^|[^A-Za-z_.])Process([.(]| *\{)/)) what = "Process is unavailable"
                else next
                printf "%s:%d:%d: error: %s\n", file, NR, RSTART, what
            }' "$file"
    done
}

# --- The run: two platforms at a time

began=$SECONDS
run() {
    if ! prepare "$1"; then touch "$cache/$1.failed"; return; fi
    compile "$1"
    touch "$cache/$1.done"
}
rm -f "$cache"/*.failed "$cache"/*.done
[ -e "$cache/macOS/ready" ] || echo 'apple: building the platform libraries, which takes a minute or two the first time...' >&2
running=0
for platform in $platforms; do
    run "$platform" &
    running=$((running + 1))
    if [ $running -ge "$(nproc)" ]; then
        wait -n
        running=$((running - 1))
    fi
done
wait
for platform in $platforms; do
    [ ! -e "$cache/$platform.failed" ] || give_up "the libraries for $platform cannot be built: $(cat "$cache/$platform/failure")" \
        'the toolchain may have changed its interfaces' "fix Scripts/AppleCheck, or try Swift 6.3"
    [ -e "$cache/$platform.done" ] || give_up "not all modules were compiled for $platform" \
        'the run was interrupted, or the disk is full' "run Scripts/apple again"
done

findings=$({
    for platform in $platforms; do
        for name in $order; do
            sed -nE "s#^(/.*/)?((${tops//$'\n'/|})/[^:]*:[0-9]+:[0-9]+): error: (.*)#\2: \4\t$platform#p" \
                "$(output "$platform" "$name")/$name.errors"
        done
    done
    scan_tests | sed -e "/ in async code$/s/: error: \(.*\)/: \1\tmacOS, iOS, tvOS, watchOS, visionOS/" \
        -e "s/: error: \(.*\)/: \1\tiOS, tvOS, watchOS, visionOS/"
} | awk -F '\t' -v modules=" ${!files[*]} " '
    # Skip the error about importing a module that itself has findings.
    match($1, /no such module .[A-Za-z0-9_]+/) && index(modules, " " substr($1, RSTART + 16, RLENGTH - 16) " ") { next }
    {
        text = $1
        # A symbol can have several versions, and be unavailable on several platforms.
        gsub(/(macOS|iOS|tvOS|watchOS|visionOS) [0-9.]+ or newer/, "newer systems", text)
        gsub(/ in (iOS|tvOS|watchOS|visionOS)$/, "", text)
        if (!(text in where)) order[++count] = text
        if (index(where[text], $2) == 0) where[text] = where[text] (where[text] == "" ? "" : ", ") $2
    }
    END {
        for (i = 1; i <= count; i++) {
            text = order[i]
            print text " [" where[text] "]"
            if (text ~ /only available in/) {
                why = "the manifests support older systems"
                fix = "use an older symbol, or guard this one with #available"
            } else if (text ~ /shifts an/) {
                why = "Int and UInt have 32 bits on watchOS, so the result is 0"
                fix = "use UInt64"
            } else if (text ~ /blocks in async code/) {
                why = "Apple declares the wait() of DispatchGroup and DispatchSemaphore as unavailable in async code"
                fix = "await a task or a continuation, or wait on a thread"
            } else if (text ~ /unavailable/) {
                why = "an app cannot start other processes on these platforms"
                fix = "put the code between #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS) and #endif"
            } else if (text ~ /cannot find|no such module|has no (dynamic )?member|not a member type|no type named/) {
                why = "these platforms lack the declaration, or the stand-ins of this check do"
                fix = "put the code under #if, or add the declaration to Scripts/AppleCheck/StandIns if the SDK has it"
            } else {
                why = "the module does not compile for these platforms"
                fix = "change the code, or put it under #if"
            }
            print "  why:  " why "\n  fix:  " fix
        }
    }')
count=$(grep -c '^  why:  ' <<<"$findings" || true)
[ -z "$findings" ] || printf '%s\n\n' "$findings"
echo "apple: ${#files[@]} modules for $(wc -w <<<"$platforms") platforms, $count findings, $((SECONDS - began)) s"
[ "$count" = 0 ]
