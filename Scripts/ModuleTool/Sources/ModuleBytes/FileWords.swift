import Foundation

/// The words of some files, also those in comments and strings.
package struct FileWords: Sendable {
    private var all: Set<ArraySlice<UInt8>> = []
    private var functions: Set<ArraySlice<UInt8>> = []

    package init(of files: [Data]) {
        for file in files {
            var isFunction = false
            for word in [UInt8](file).split(whereSeparator: { !CodeOutline.isWord($0) }) {
                all.insert(word)
                if isFunction { functions.insert(word) }
                isFunction = word.elementsEqual("func".utf8)
            }
        }
    }

    package func contains(_ word: String) -> Bool { all.contains(ArraySlice(word.utf8)) }

    /// Whether one of the files declares a function with the name.
    package func declaresFunction(_ name: String) -> Bool { functions.contains(ArraySlice(name.utf8)) }
}
