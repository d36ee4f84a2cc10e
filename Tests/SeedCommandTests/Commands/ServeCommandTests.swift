import Testing

@testable import SeedCommand

@Suite struct ServeCommandTests {
  @Test(arguments: ["", "a b", "a\r\nb", "\u{FC}"])
  func `a token that no header can carry is a usage error`(token: String) {
    let capture = CapturedConsole()
    #expect(capture.run("serve", ".", "--token", token) == .usage)
    #expect(capture.error.contains("is not a value of option \"--token\""), "\(capture.error)")
  }

  @Test func `a directory has to be given`() {
    #expect(CapturedConsole().run("serve", "") == .usage)
  }
}
