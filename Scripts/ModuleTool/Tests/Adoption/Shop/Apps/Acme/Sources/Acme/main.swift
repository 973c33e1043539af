import AppModules
import Foundation
import Launch
import Pages

let app = try makeApp()
for line in await app.launch().failureLines { print(line) }

// An argument is a link from outside. A module answers links if it conforms to LinkAnswering.
do {
    let value = try await app.open(CommandLine.arguments.dropFirst().first ?? "checkout/Tea").value
    if let page = value as? any Page {
        print(page.title)
        for content in try await page.contents() { print(content) }
    }
} catch {
    print(error)
    exit(1)
}
