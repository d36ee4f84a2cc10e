// swift-tools-version: 6.2
import PackageDescription

/// C libraries that only Linux needs as packages; Apple's SDKs carry CommonCrypto instead.
let linux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
  name: "Seed",
  platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Seed", targets: ["SeedStore", "SeedStreams", "SeedTransport"]),
    .library(name: "HHFW", targets: ["HHFW"]),
    .executable(name: "seed", targets: ["seed"]),
    .plugin(name: "SeedBuildPlugin", targets: ["SeedBuildPlugin"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    // Without pkgConfig, which would have it linked: it is loaded when it is needed, see its shim.h.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),

    // Loaded when it is needed, as libcurl is.
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),

    .systemLibrary(name: "CMemory"),
    .systemLibrary(name: "CFiles"),

    .target(name: "SeedModel"),
    .target(name: "SeedSQLite", dependencies: ["CSQLite"]),
    .target(
      name: "SeedFiles",
      dependencies: [
        .target(name: "CCrypto", condition: linux), .target(name: "CFiles", condition: linux),
      ]),
    .target(
      name: "SeedFormat", dependencies: ["SeedModel", "SeedFiles", "SeedSQLite", "CZlib"]),
    .target(name: "SeedMerge", dependencies: ["SeedModel", "SeedSQLite"]),
    .target(
      name: "SeedStore",
      dependencies: ["SeedModel", "SeedFiles", "SeedFormat", "SeedMerge", "SeedSQLite"]),
    .target(
      name: "SeedTransport",
      dependencies: ["SeedModel", "SeedFiles", .target(name: "CCurl", condition: linux)]),
    .target(
      name: "SeedStreams",
      dependencies: [
        "SeedModel", "SeedFiles", "SeedFormat", "SeedMerge", "SeedSQLite", "SeedStore",
        "SeedTransport",
      ]),
    .target(
      name: "HHFW",
      dependencies: [
        "SeedModel", "SeedFiles", "SeedSQLite", "SeedStore", "SeedStreams", "SeedTransport",
      ]),
    .target(
      name: "SeedPublisher",
      dependencies: [
        "SeedModel", "SeedFiles", "SeedFormat", "SeedMerge", "SeedSQLite", "SeedStreams",
        "SeedTransport",
      ]),
    .target(
      name: "SeedServer",
      dependencies: [
        "SeedModel", "SeedFiles", "SeedFormat", "SeedSQLite", "SeedStreams",
        .target(name: "CMicroHTTPD", condition: linux),
      ]),
    .target(name: "SeedFetch", dependencies: ["SeedModel", "SeedFiles", "SeedTransport"]),
    .target(
      name: "SeedInput",
      dependencies: [
        "SeedModel", "SeedFiles", "CLibXML2", "CZlib", .target(name: "CMemory", condition: linux),
      ]),
    .target(
      name: "SeedBuilder",
      dependencies: ["SeedModel", "SeedFiles", "SeedFormat", "SeedSQLite", "SeedInput"]),
    .target(
      name: "SeedCoreData",
      dependencies: [
        "SeedModel", "SeedFiles", "SeedFormat", "SeedSQLite", "SeedInput", "SeedBuilder",
      ]),
    .target(name: "SeedProject", dependencies: ["SeedModel", "SeedFiles"]),
    .target(
      name: "SeedCommand",
      dependencies: [
        "SeedModel", "SeedFiles", "SeedFormat", "SeedSQLite", "SeedInput", "SeedBuilder",
        "SeedCoreData", "SeedProject", "SeedTransport", "SeedFetch", "SeedMerge", "SeedStore",
        "SeedStreams", "SeedPublisher", "SeedServer",
      ]),
    .executableTarget(name: "seed", dependencies: ["SeedCommand"]),
    .plugin(
      name: "SeedBuildPlugin", capability: .buildTool(), dependencies: ["seed"],
      path: "Sources/SeedBuildPlugin"),
    .executableTarget(
      name: "SeedBenchmarks", dependencies: ["CSQLite", "CLibXML2"],
      path: "Sources/SeedBenchmarks",
      cSettings: [
        .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
      ],
      linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("xml2")]),

    .executableTarget(
      name: "SeedInstallProbe", dependencies: ["SeedSQLite", "SeedStore"],
      path: "Tests/SeedInstallProbe"),
    .executableTarget(
      name: "SeedStreamProbe",
      dependencies: ["CSQLite", "SeedFiles", "SeedStreams", "SeedTransport"],
      path: "Tests/SeedStreamProbe"),
    .target(
      name: "TestSupport", dependencies: ["SeedModel", "SeedFiles", "SeedSQLite"],
      path: "Tests/TestSupport"),
    .testTarget(name: "SeedModelTests", dependencies: ["SeedModel", "TestSupport"]),
    .testTarget(name: "SeedSQLiteTests", dependencies: ["SeedSQLite", "TestSupport"]),
    .testTarget(name: "SeedFilesTests", dependencies: ["SeedFiles", "SeedSQLite", "TestSupport"]),
    .testTarget(
      name: "SeedTransportTests",
      dependencies: ["SeedTransport", "SeedFiles", "TestSupport"]),
    .testTarget(
      name: "SeedFetchTests",
      dependencies: ["SeedFetch", "SeedTransport", "SeedFiles", "SeedModel", "TestSupport"]),
    .testTarget(
      name: "SeedInputTests", dependencies: ["SeedInput", "SeedModel", "TestSupport"]),
    .testTarget(
      name: "SeedBuilderTests",
      dependencies: [
        "SeedBuilder", "SeedFiles", "SeedFormat", "SeedInput", "SeedModel", "SeedSQLite",
        "TestSupport",
      ]),
    .testTarget(
      name: "SeedFormatTests",
      dependencies: ["SeedFormat", "SeedFiles", "SeedModel", "SeedSQLite", "TestSupport"]),
    .testTarget(
      name: "SeedMergeTests", dependencies: ["SeedMerge", "SeedModel", "SeedSQLite", "TestSupport"]),
    .testTarget(
      name: "SeedStreamsTests",
      dependencies: [
        "SeedStreams", "SeedFiles", "SeedFormat", "SeedMerge", "SeedModel", "SeedSQLite",
        "SeedStore", "SeedTransport", "TestSupport",
      ]),
    .testTarget(
      name: "SeedPublisherTests",
      dependencies: [
        "SeedPublisher", "SeedFiles", "SeedFormat", "SeedMerge", "SeedModel", "SeedSQLite",
        "SeedStreams", "SeedTransport", "TestSupport",
      ]),
    .testTarget(
      name: "SeedServerTests",
      dependencies: [
        "SeedServer", "SeedFiles", "SeedFormat", "SeedModel", "SeedSQLite", "SeedStreams",
        "SeedTransport", "TestSupport",
      ]),
    .testTarget(
      name: "HHFWTests",
      dependencies: [
        "HHFW", "SeedFiles", "SeedModel", "SeedSQLite", "SeedStreams", "SeedTransport",
        "TestSupport",
      ]),
    .testTarget(
      name: "ConsumerProbe", dependencies: ["SeedStore", "SeedStreams", "SeedTransport", "HHFW"],
      swiftSettings: [.define("SEED_FOUNDATION")]),
    .testTarget(
      name: "SeedStoreTests",
      dependencies: [
        "SeedStore", "SeedFiles", "SeedFormat", "SeedModel", "SeedSQLite", "TestSupport",
      ]),
    .testTarget(
      name: "SeedCoreDataTests",
      dependencies: [
        "SeedCoreData", "SeedBuilder", "SeedFiles", "SeedFormat", "SeedInput", "SeedModel",
        "SeedSQLite", "TestSupport",
      ]),
    .testTarget(
      name: "SeedProjectTests",
      dependencies: ["SeedProject", "SeedFiles", "SeedModel", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "SeedCommandTests",
      dependencies: [
        "SeedCommand", "SeedBuilder", "SeedCoreData", "SeedFetch", "SeedFiles", "SeedFormat",
        "SeedInput", "SeedMerge", "SeedModel", "SeedProject", "SeedPublisher", "SeedServer",
        "SeedSQLite", "SeedStore", "SeedStreams", "SeedTransport", "HHFW", "TestSupport",
      ],
      exclude: ["Golden"]),
  ],
  swiftLanguageModes: [.v6]
)

// Fuzzing links a runtime that is there only under `-sanitize=fuzzer`; Scripts/fuzz sets both.
if Context.environment["SEED_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer"),
    .executableTarget(
      name: "SeedFuzzing",
      dependencies: ["SeedBuilder", "SeedMerge", "SeedSQLite", "SeedStreams", "CLibFuzzer"]),
  ]
}

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
      .enableUpcomingFeature("ImmutableWeakCaptures"),
      .treatAllWarnings(as: .error),
    ]
}
