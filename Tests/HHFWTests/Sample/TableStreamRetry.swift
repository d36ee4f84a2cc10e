import Foundation
import HHFW

// The sample of a table stream with retries, as an app has it: only the text view and what differs
// from one server to the next are the tests' own.

/// What an app has of its server.
struct SampleSettings {
  var host: String
  var environment = "env"
  var project = "project"
  var device = "device"
  var login = "guest"
  var password: String
  var retryIntervalSec = 1.0
}

/// Stands for the text view of the app's screen.
final class SampleTextView {
  var text = ""
}

class TableStreamRetry {
  let hhfw = HHFWController.sharedInstance()
  let textView = SampleTextView()
  let settings: SampleSettings
  let databaseName = "database.sqlite"
  let resourceName = "test_resource"
  let tableName = "output_table"

  init(_ settings: SampleSettings) {
    self.settings = settings
  }

  // MARK: Preparation

  /// Names the server, logs in and makes the tables.
  func prepare() -> Bool {
    hhfw.initWithCredentials(
      "v1", host: settings.host, environment: settings.environment, project: settings.project,
      device: settings.device)
    var isReady = false
    hhfw.auth(settings.login, password: settings.password) { response in
      isReady = self.isSuccess(response)
    }
    guard isReady else {
      textView.text = "Authentication failed"
      return false
    }
    hhfw.setDownloadPath(getURL(for: "DownloadPath").path)
    hhfw.useDownload(true)
    hhfw.resources(databaseName) { response in
      isReady = self.isSuccess(response)
    }
    textView.text = isReady ? "Authentication and resources load success" : "No resources"
    return isReady
  }

  func callParams() -> TableCallParams? {
    let tableCallParams = TableCallParams(defaultDb: ())
    tableCallParams?.retryCount = 10
    tableCallParams?.retryIntervalSec = settings.retryIntervalSec
    tableCallParams?.dataBasePath = getURL(for: databaseName).path
    return tableCallParams
  }

  // MARK: Loading

  func loadTable() {
    hhfw.tableStream(
      resourceName, withCache: true, transactionID: nil, tableCallParams: callParams()
    ) { response in
      self.show(response)
    }
  }

  func loadTableAsync(_ completion: @escaping () -> Void) {
    hhfw.tableStreamAsync(
      resourceName, withCache: true, transactionID: nil, tableCallParams: callParams()
    ) { response in
      self.show(response)
      completion()
    }
  }

  func show(_ response: Any?) {
    guard isSuccess(response) else {
      textView.text = String(describing: response)
      return
    }
    let path = "/Documents/" + databaseName
    let names = hhfw.getTablesName(
      path, resourceName: resourceName, requestParams: "", tableName: tableName)
    guard let name = records(from: names)?.first?["name"] as? String else {
      textView.text = "No table"
      return
    }
    let result = hhfw.query(path, query: "SELECT * FROM `\(name)`")
    guard let rows = records(from: result) else {
      textView.text = "No rows"
      return
    }
    textView.text = "\(name): \(rows.count) rows"
  }

  // MARK: Answers

  func getURL(for fileName: String) -> URL {
    let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
    return documents[0].appendingPathComponent(fileName)
  }

  func isSuccess(_ response: Any?) -> Bool {
    guard let dictionary = response as? NSDictionary,
      let status = dictionary["status"] as? String
    else { return false }
    if let http = dictionary["http"] as? [String: Any], http["status"] as? Int == 304 {
      return true
    }
    return status == "ok"
  }

  func records(from text: String?) -> [[String: Any]]? {
    guard let data = text?.data(using: .utf8),
      let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      json["status"] as? String == "ok",
      let result = json["result"] as? [String: Any],
      let database = result["database"] as? [String: Any]
    else { return nil }
    return database["records"] as? [[String: Any]]
  }
}
