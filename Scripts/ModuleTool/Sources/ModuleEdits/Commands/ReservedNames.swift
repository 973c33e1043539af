/// Names that are invalid for a module in every tree.
enum ReservedNames {
    /// Modules of the toolchain and of the platforms' SDKs that an app is likely to import, in lower case.
    ///
    /// No file can import two modules with the same name, and some file systems ignore case.
    static let standardModules: Set<String> = Set(
        """
        Swift SwiftOnoneSupport SwiftShims SwiftRemoteMirror Builtin Cxx CxxStdlib Foundation FoundationEssentials
        FoundationInternationalization FoundationNetworking FoundationXML Dispatch Synchronization Testing XCTest
        Observation RegexBuilder Distributed Glibc Musl Darwin Bionic Android WinSDK CRT ucrt WASILibc
        BlocksRuntime CoreFoundation ObjectiveC os Runtime Concurrency StringProcessing Differentiation Volatile
        Subprocess System PackageDescription PackagePlugin CompilerPluginSupport SwiftSyntax
        Accelerate Accessibility Accounts AdSupport AppIntents AppKit AppTrackingTransparency ARKit
        AuthenticationServices AVFAudio AVFoundation AVKit BackgroundTasks CallKit CarPlay Charts CloudKit Cocoa
        Combine Compression Contacts ContactsUI CoreAudio CoreBluetooth CoreData CoreGraphics CoreHaptics CoreImage
        CoreLocation CoreMedia CoreML CoreMotion CoreNFC CoreServices CoreSpotlight CoreTelephony CoreText
        CoreTransferable CoreVideo CreateML CryptoKit CryptoTokenKit DeveloperToolsSupport DeviceCheck EventKit
        EventKitUI FamilyControls FileProvider FinanceKit GameController GameKit GameplayKit GLKit HealthKit HomeKit
        IdentityLookup ImageIO Intents IntentsUI IOKit JavaScriptCore LinkPresentation LocalAuthentication MapKit
        MediaPlayer Messages MessageUI Metal MetalKit MetricKit MobileCoreServices ModelIO MultipeerConnectivity
        MusicKit NaturalLanguage NearbyInteraction Network NetworkExtension OpenGLES OSLog PassKit PDFKit PencilKit
        Photos PhotosUI PushKit QuartzCore QuickLook RealityKit ReplayKit SafariServices SceneKit Security
        SensorKit SharedWithYou Social SoundAnalysis Speech SpriteKit StoreKit SwiftData SwiftUI Symbols
        SystemConfiguration TabularData TipKit UIKit UniformTypeIdentifiers UserNotifications VideoToolbox Vision
        VisionKit WatchConnectivity WatchKit WeatherKit WebKit WidgetKit WorkoutKit
        """.split(whereSeparator: \.isWhitespace).map { $0.lowercased() })

    /// Keywords, and types of the standard library that a module with the same name would hide.
    static let standardTypes: Set<String> = [
        "Any", "Protocol", "Self", "Type", "Actor", "AnyObject", "Array", "Bool", "Character", "Clock",
        "Codable", "Comparable", "Dictionary", "Double", "Duration", "Equatable", "Error", "Float",
        "Hashable",
        "Identifiable", "Int", "Iterator", "MainActor", "Never", "Optional", "Range", "Result", "Sendable",
        "Sequence", "Set", "String", "Substring", "Task", "UInt", "Void",
    ]

    /// The names that generated code and traits use.
    static let ours: Set<String> = ["default", "defaults", "module", "registrations"]
}
