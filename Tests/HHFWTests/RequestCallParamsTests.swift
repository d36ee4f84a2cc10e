import HHFW
import Testing

@Suite struct RequestCallParamsTests {
  @Test func `nothing is repeated by default`() {
    #expect(TableCallParams(defaultDb: ())?.retryCount == 0)
  }
}
