/// A small tree with an Xcode project: the app `Shop` with a widget, a framework and tests, all in
/// `Shop.xcodeproj`; the local packages `Cart` and `Models`; and the project `Kit` in its own folder. The tree has
/// no root package.
///
/// The app lists its files individually. The framework `Design` and the tests have synchronised folders.
package enum SmallXcode {
    package static func make() throws -> TemporaryTree { try TemporaryTree(files) }

    package static var files: [String: String] {
        [
            "iOS/Shop.xcodeproj/project.pbxproj": project,
            "iOS/Shop.xcodeproj/xcshareddata/xcschemes/Shop.xcscheme": scheme,
            "Kit/Kit.xcodeproj/project.pbxproj": kit,
            "Kit/Sources/Kit.swift": "",
            "Shop.xcworkspace/contents.xcworkspacedata": workspace,
            "iOS/App/App.swift": "import Cart\nimport Design\nimport Kit\nimport Models\nimport Foreign\n",
            "iOS/App/Parts/Detail.swift": "", "iOS/App/Unlisted.swift": "", "iOS/App/Info.plist": "",
            "iOS/Shared/Both.swift": "", "iOS/App/de.lproj/Texts.strings": "", "iOS/Settings.xcconfig": "",
            "iOS/Widget/Widget.swift": "import Models\n",
            "iOS/Design/Design.swift": "", "iOS/Design/Old.swift": "", "iOS/Design/Info.plist": "",
            "iOS/Tests/ShopTests.swift": "@testable import TheShop\n",
            "Packages/Cart/Package.swift": SmallTree.manifest(
                "Cart", packages: ["../Models"], uses: ["Models"], tests: ["Cart"]),
            "Packages/Cart/Sources/Cart/Cart.swift": "import Models\n",
            "Packages/Cart/Tests/CartTests/CartTests.swift": "import Cart\n",
            "Packages/Models/Package.swift": SmallTree.manifest("Models"),
            "Packages/Models/Sources/Models/Models.swift": "",
        ]
    }

    /// The first target links Cart from a local package, Models without naming its package, Kit from another
    /// project, Design from this project, and a product from outside the tree.
    package static let project = #"""
        // !$*UTF8*$!
        {
        	archiveVersion = 1;
        	objects = {
        		F01 /* App.swift in Sources */ = {isa = PBXBuildFile; fileRef = R01 /* App.swift */; };
        		F02 = {isa = PBXBuildFile; fileRef = R02; };
        		F03 = {isa = PBXBuildFile; fileRef = R03; };
        		F04 = {isa = PBXBuildFile; fileRef = R03; };
        		F05 = {isa = PBXBuildFile; fileRef = R05; };
        		F06 = {isa = PBXBuildFile; fileRef = V01; };
        		F07 = {isa = PBXBuildFile; productRef = D01 /* Cart */; };
        		F08 = {isa = PBXBuildFile; fileRef = P02; };
        		F09 = {isa = PBXBuildFile; fileRef = X01; };
        		R01 = {isa = PBXFileReference; path = App.swift; sourceTree = "<group>"; };
        		R02 = {isa = PBXFileReference; path = Detail.swift; sourceTree = "<group>"; };
        		R03 = {isa = PBXFileReference; path = Shared/Both.swift; sourceTree = SOURCE_ROOT; };
        		R05 = {isa = PBXFileReference; path = Widget/Widget.swift; sourceTree = "<group>"; };
        		R06 = {isa = PBXFileReference; name = de; path = de.lproj/Texts.strings; sourceTree = "<group>"; };
        		R07 = {isa = PBXFileReference; lastKnownFileType = wrapper; path = ../Packages/Models; sourceTree = "<group>"; };
        		R08 = {isa = PBXFileReference; path = ../Kit/Kit.xcodeproj; sourceTree = "<group>"; };
        		P01 = {isa = PBXFileReference; path = "The Shop.app"; sourceTree = BUILT_PRODUCTS_DIR; };
        		P02 = {isa = PBXFileReference; path = Design.framework; sourceTree = BUILT_PRODUCTS_DIR; };
        		X01 = {isa = PBXReferenceProxy; path = Kit.framework; remoteRef = C01; sourceTree = BUILT_PRODUCTS_DIR; };
        		C01 = {isa = PBXContainerItemProxy; containerPortal = R08; remoteInfo = Kit; };
        		C02 = {isa = PBXContainerItemProxy; containerPortal = ROOT; remoteInfo = Widget; };
        		V01 = {isa = PBXVariantGroup; children = ( R06, ); name = Texts.strings; sourceTree = "<group>"; };
        		G01 = {isa = PBXGroup; children = ( G02, G04, R03, R05, R07, R08, S01, S02, G05, ); sourceTree = "<group>"; };
        		G02 = {isa = PBXGroup; children = ( R01, G03, V01, ); path = App; sourceTree = "<group>"; };
        		G03 = {isa = PBXGroup; children = ( R02, ); path = Parts; sourceTree = "<group>"; };
        		G04 = {isa = PBXGroup; children = ( G01, ); name = "A group in a circle"; sourceTree = "<group>"; };
        		G05 = {isa = PBXGroup; children = ( P01, P02, ); name = Products; sourceTree = "<group>"; };
        		S01 = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = ( E01, E02, ); path = Design; sourceTree = "<group>"; };
        		S02 = {isa = PBXFileSystemSynchronizedRootGroup; path = Tests; sourceTree = "<group>"; };
        		E01 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = ( Info.plist, Old.swift, ); target = T03; };
        		E02 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = ( Old.swift, ); target = T02; };
        		B01 = {isa = PBXSourcesBuildPhase; files = ( F01, F02, F03, ); };
        		B02 = {isa = PBXResourcesBuildPhase; files = ( F06, ); };
        		B03 = {isa = PBXFrameworksBuildPhase; files = ( F07, F08, F09, ); };
        		B04 = {isa = PBXSourcesBuildPhase; files = ( F04, F05, ); };
        		D01 = {isa = XCSwiftPackageProductDependency; package = L01; productName = Cart; };
        		D02 = {isa = XCSwiftPackageProductDependency; productName = Models; };
        		D03 = {isa = XCSwiftPackageProductDependency; package = L02; productName = Foreign; };
        		L01 = {isa = XCLocalSwiftPackageReference; relativePath = ../Packages/Cart; };
        		L02 = {isa = XCRemoteSwiftPackageReference; repositoryURL = "https://example.com/foreign.git"; };
        		U01 = {isa = PBXTargetDependency; targetProxy = C02; target = T02; };
        		U02 = {isa = PBXTargetDependency; target = T01; };
        		T01 /* Shop */ = {
        			isa = PBXNativeTarget;
        			buildConfigurationList = K01;
        			buildPhases = ( B01, B02, B03, );
        			dependencies = ( U01, );
        			name = Shop;
        			packageProductDependencies = ( D01, D02, D03, );
        			productReference = P01;
        			productType = "com.apple.product-type.application";
        		};
        		T02 = {isa = PBXNativeTarget; buildPhases = ( B04, ); name = Widget; packageProductDependencies = ( D02, );
        			productType = "com.apple.product-type.app-extension"; };
        		T03 = {isa = PBXNativeTarget; fileSystemSynchronizedGroups = ( S01, ); name = Design; productReference = P02;
        			productType = "com.apple.product-type.framework"; };
        		T04 = {isa = PBXNativeTarget; dependencies = ( U02, ); fileSystemSynchronizedGroups = ( S02, );
        			name = ShopTests; productType = "com.apple.product-type.bundle.unit-test"; };
        		K01 = {isa = XCConfigurationList; buildConfigurations = ( K02, ); };
        		K02 = {isa = XCBuildConfiguration; buildSettings = { OTHER_LDFLAGS = ( "-ObjC", ); PRODUCT_NAME = TheShop; }; };
        		ROOT = {isa = PBXProject; mainGroup = G01; projectDirPath = ""; targets = ( T01, T02, T03, T04, ); };
        	};
        	rootObject = ROOT /* Project object */;
        }

        """#

    private static let kit = """
        // !$*UTF8*$!
        { objects = {
            F1 = {isa = PBXBuildFile; fileRef = R1; };
            R1 = {isa = PBXFileReference; path = Sources/Kit.swift; sourceTree = "<group>"; };
            G1 = {isa = PBXGroup; children = ( R1, ); sourceTree = "<group>"; };
            B1 = {isa = PBXSourcesBuildPhase; files = ( F1, ); };
            T1 = {isa = PBXNativeTarget; buildPhases = ( B1, ); name = Kit; productType = "com.apple.product-type.framework"; };
            P = {isa = PBXProject; mainGroup = G1; targets = ( T1, ); };
        }; rootObject = P; }

        """

    private static let scheme = """
        <Scheme version = "1.7">
           <BuildAction><BuildActionEntries><BuildActionEntry buildForTesting = "YES">
              <BuildableReference BlueprintName = "Shop" ReferencedContainer = "container:Shop.xcodeproj"/>
           </BuildActionEntry></BuildActionEntries></BuildAction>
           <TestAction><Testables>
              <TestableReference skipped = "NO">
                 <BuildableReference BlueprintName = "ShopTests" ReferencedContainer = "container:Shop.xcodeproj"/>
              </TestableReference>
              <TestableReference skipped = "NO">
                 <BuildableReference BlueprintName = "CartTests" ReferencedContainer = "container:../Packages/Cart"/>
              </TestableReference>
           </Testables></TestAction>
        </Scheme>

        """

    private static let workspace = """
        <?xml version="1.0" encoding="UTF-8"?>
        <Workspace version = "1.0">
           <Group location = "group:iOS" name = "Apps">
              <FileRef location = "group:Shop.xcodeproj"></FileRef>
           </Group>
           <FileRef location = "container:Kit/Kit.xcodeproj"></FileRef>
        </Workspace>

        """
}
