// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PluginFixture",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Seed", path: "../..")],
  targets: [
    .executableTarget(
      name: "Fixture", plugins: [.plugin(name: "SeedBuildPlugin", package: "Seed")])
  ]
)
