import SeedPublisher
import Testing

@Suite struct PublishOptionsTests {
  @Test func `dropped objects stay for a week`() {
    #expect(PublishOptions().keepDays == 7)
  }
}
