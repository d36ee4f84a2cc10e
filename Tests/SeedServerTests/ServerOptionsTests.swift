import SeedServer
import Testing

@Suite struct ServerOptionsTests {
  @Test func `only this machine reaches the server by default`() {
    #expect(ServerOptions().address == "127.0.0.1")
  }
}
