import TramUI

@main enum Main {
    @MainActor static func main() { TramApp.main() }
}
