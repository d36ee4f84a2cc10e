import Foundation

// The database that the plugin has made, as an app would find it.
print(Bundle.module.url(forResource: "default", withExtension: "sqlite")?.path ?? "none")
