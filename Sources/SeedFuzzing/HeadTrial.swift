import SeedStreams

/// Reads bytes that nobody vouches for as the head of a stream.
///
/// They may be refused. What is taken must be the same once it is written and read again, so that
/// nothing in it was misunderstood.
struct HeadTrial {
  func run(_ bytes: UnsafeRawBufferPointer) {
    let head: StreamHead
    do throws(StreamHeadError) {
      head = try StreamHead(parsing: Array(bytes))
    } catch {
      guard !error.description.isEmpty else { fatalError("a head was refused without a word") }
      return
    }
    do throws(StreamHeadError) {
      let again = try StreamHead(parsing: head.encoded)
      guard again == head else { fatalError("read again, the head is another one: \(again)") }
    } catch {
      fatalError("what was read cannot be read again: \(error)")
    }
  }
}
