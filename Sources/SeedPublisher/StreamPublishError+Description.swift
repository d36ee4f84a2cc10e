internal import SeedFiles
internal import SeedSQLite
internal import SeedStreams

extension StreamPublishError: CustomStringConvertible {
  /// The file and what is wrong, on one line.
  package var description: String { "\(path): \(message)" }

  /// What is wrong, without the file.
  package var message: String {
    switch reason {
    case .noDatabase: "there is no such database"
    case .coreDataStore: "a Core Data store cannot be published as a stream"
    case .cutOff(let byteCount, let expected):
      "the database is cut off: it has \(byteCount) of \(expected) bytes"
    case .database(let error): error.message
    case .tables(let error): error.message
    case .unnamedStream(let streams):
      "no stream is named, and the directory has \(Self.list(Array(streams.prefix(8))))"
    case .noSigningKey, .noTrustedKey: "there is no such key"
    case .unusableTrustedKey:
      "is no public key of Ed25519 in PEM, in DER, as a JSON Web Key or in 32 bytes"
    case .privateKeyAsTrusted: "is a private key, which nobody but the publisher needs"
    case .unusableSigningKey: "is no private key of Ed25519 in PEM"
    case .noSignatures: "the system's library has no signatures by Ed25519"
    case .signedHead: "the head is signed, and no key is given for the next one"
    case .nullInKey(let table, let column):
      "a row of table \"\(table)\" has NULL in column \"\(column)\" of its key"
    case .nullInRequired(let table, let column, let key):
      "column \"\(column)\" of table \"\(table)\" is NULL in the row with key \(key), in the stream "
        + "it is NOT NULL"
    case .invalidText(let table, let column, let key):
      "the text in column \"\(column)\" of table \"\(table)\" is not UTF-8, in the row with key \(key)"
    case .rowTooLong(let table, let key):
      "the row of table \"\(table)\" with key \(key) has more than 16 MiB"
    case .unknownCollation(let table, let collation):
      "the key of table \"\(table)\" is compared by \(collation), which SQLite itself does not have"
    case .keyComparedOtherwise(let table):
      "the key of table \"\(table)\" has another collation than in the published snapshot"
    case .tableGone(let table): "table \"\(table)\" of the stream is gone"
    case .columnGone(let table, let column):
      "column \"\(column)\" of table \"\(table)\" of the stream is gone"
    case .columnRetyped(let table, let column, let old, let new):
      "column \"\(column)\" of table \"\(table)\" has affinity \(new), in the stream it is \(old)"
    case .keyChanged(let table, let old, let new):
      "the key of table \"\(table)\" is \(Self.list(new)), in the stream it is \(Self.list(old))"
    case .constraintGone(let table, let constraint):
      "table \"\(table)\" lacks a constraint that it has in the stream: \(constraint)"
    case .untrustedFunction(let function):
      "an index or a generated column uses \(function), which SQLite refuses in a fetched file"
    case .danglingReference(let table, let key, let parent):
      "\(key.map { "the row with key \($0)" } ?? "a row") of table \"\(table)\" refers to a row of "
        + "table \"\(parent)\" that is not there"
    case .otherPosition(let database, let head):
      "stands at \(Self.text(database)) of the stream, whose head is at \(Self.text(head))"
    case .unknownHistory(let position):
      "stands at \(Self.text(position)) of a stream that is not published here"
    case .unusableHead(let why): why
    case .otherStream(let name): "the head is that of stream \"\(name)\""
    case .unusableObject(let sha256, let why): "object \(sha256.prefix(12)) of the stream \(why)"
    case .brokenWay(let from, let to): "no listed segments lead from \(from) to \(to)"
    case .locked: "another process is publishing this stream"
    case .file(let error): "\(error.reason) (\(error.operation.rawValue))"
    case .publish(let error): error.message
    }
  }

  /// What to do about it, as an imperative sentence, where something can be said.
  package var hint: String? {
    switch reason {
    case .noDatabase: "build it first with \"seed build\""
    case .coreDataStore:
      "ship a new store and let the app install it, or publish a database of plain tables, "
        + "which \"seed build\" makes of the same sources without the model"
    case .cutOff: "copy it again, or build it again"
    case .database(let error): error.hint
    case .tables(let error): error.hint
    case .unnamedStream: "name one with --stream; \"--stream main\" starts another one"
    case .noSigningKey, .unusableSigningKey:
      "make one with \"openssl genpkey -algorithm ed25519 -out key.pem\""
    case .noTrustedKey, .unusableTrustedKey, .privateKeyAsTrusted:
      "\"openssl pkey -in key.pem -pubout -out public.pem\" writes the public key of a private one"
    case .noSignatures: nil
    case .signedHead:
      "give the key with --sign: apps that trust it take no head without its signature"
    case .nullInKey: "declare the column NOT NULL, and give the row a value"
    case .nullInRequired:
      "apps in the field cannot take the row: give it a value, or publish as another stream with "
        + "--stream"
    case .invalidText: "store the bytes as a BLOB, or convert them to UTF-8"
    case .rowTooLong: "keep large content out of the table, and refer to it"
    case .unknownCollation: "give the key the collation BINARY, NOCASE or RTRIM"
    case .keyComparedOtherwise, .tableGone, .columnGone, .columnRetyped, .keyChanged,
      .constraintGone:
      "apps in the field rely on it: keep it, or publish as another stream with --stream"
    case .untrustedFunction:
      "no app could read the snapshot: fill an ordinary column with the value, and index that"
    case .danglingReference: "no app could take the row: add what it refers to, or leave it out"
    case .otherPosition:
      "build the database anew, or make the change in the one that was published last"
    case .unknownHistory:
      "check --to and --stream; build the database anew, or start a history with --new-epoch"
    case .unusableHead, .otherStream: "restore the file, or publish to another directory"
    case .unusableObject, .brokenWay:
      "restore the directory from its copy, or start a history with --new-epoch"
    case .locked: "try again when it has ended"
    case .file(let error): error.hint
    case .publish(let error): error.hint
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  private static func text(_ position: StreamPosition) -> String {
    "\(position.epoch)/\(position.seq) (\(position.id))"
  }
}
