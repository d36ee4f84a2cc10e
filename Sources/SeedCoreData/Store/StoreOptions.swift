/// Which model a store is of.
package struct StoreOptions: Sendable, Hashable {
  /// The path of the model: a folder `.xcdatamodeld` or `.xcdatamodel`, or a file `contents`.
  package var model: String
  /// The name of the version; nil for the current one.
  package var version: String?
  /// The path of the compiled model, whose hashes are compared.
  package var compiled: String?

  package init(model: String, version: String? = nil, compiled: String? = nil) {
    self.model = model
    self.version = version
    self.compiled = compiled
  }

  /// The name of the model without its folders and its extension.
  package var name: String {
    let name = model.split(separator: "/").last(where: { $0 != "contents" }).map(String.init) ?? ""
    let stem = name.split(separator: ".").first.map(String.init) ?? ""
    // The folder of a bare file is none of a model, and where a build ran is in no output.
    let isOfModel = !model.hasSuffix("contents") || name.contains(".xcdatamodel")
    return stem.isEmpty || !isOfModel ? "Model" : stem
  }
}
