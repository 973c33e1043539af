/// Names that are invalid for a module in every tree.
enum ReservedNames {
    /// Modules of the toolchain and of the platforms' SDKs that an app is likely to import, keywords and types of the
    /// standard library that a module with the same name would hide, and the names that generated code and traits use.
    ///
    /// All in lower case, because some file systems ignore case.
    static let all = Set(
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
        Any Protocol Self Type Actor AnyObject Array Bool Character Clock Codable Comparable Dictionary Double Duration
        Equatable Error Float Hashable Identifiable Int Iterator MainActor Never Optional Range Result Sendable Sequence
        Set String Substring Task UInt Void
        Default Defaults Module Registrations
        """.split(whereSeparator: \.isWhitespace).map { $0.lowercased() })
}
