internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Loads the inputs of a build: readings until the plan holds.
struct InputLoading {
  let options: BuildOptions
  let documents: [InputDocument]
  let rules: ValueRules
  /// Whether values are loaded as they stand, with their places, instead of by what they look like.
  var isRaw = false
  var pacing = Pacing()

  /// A wrong plan ends a pass early at most so many times; later passes learn all they can.
  private static let mostEarlyStops = 6
  /// More passes than any document needs: each one learns something for good.
  private static let mostPasses = 60

  /// The result of the passes: a loader whose plan held.
  struct Loaded {
    var loader: Loader
    var connection: Connection
    var outcome: ReadingPass.Outcome
    var meter: ProgressMeter
  }

  /// What one pass tells the next.
  private struct Learnt {
    var facts: DocumentFacts
    var rejectedKeys: Set<LoadPlanner.RejectedKey> = []
    var lateKeys: Set<QualifiedName> = []
  }

  /// Loads everything.
  ///
  /// - Parameters:
  ///   - path: The empty file to load into; without it a private database.
  ///   - truncate: Empties the file again for another pass.
  /// - Returns: The loader and its connection, with a transaction open.
  /// - Throws: ``InputError``, ``SQLiteError`` and others.
  func run(path: String?, truncate: () throws -> Void) throws -> Loaded {
    var learnt = Learnt(facts: DocumentFacts(rules: rules, isRaw: isRaw))
    for pass in 1...InputLoading.mostPasses {
      let connection = try BuildConnection.open(path, options)
      let loader = Loader(
        connection: connection, facts: learnt.facts, rejectedKeys: learnt.rejectedKeys,
        lateKeys: learnt.lateKeys,
        inserter: RowInserter(parcelValueCount: pacing.parcelValueCount))
      // What was learnt before makes the plan; only the first pass needs a sample.
      if pass > 1, !learnt.facts.places.isEmpty { try loader.startLoading() }
      let meter = ProgressMeter(options: options, documents: documents, pass: pass)
      let outcome = try ReadingPass(
        documents: documents, loader: loader,
        mayStopEarly: pass <= InputLoading.mostEarlyStops, pacing: pacing,
        onBatch: { meter.report(inputBytesRead: $0, rowCount: loader.rowCount) }
      ).run()
      if outcome.isRevised {
        // Other places and fields will come, under other numbers.
        learnt = Learnt(facts: DocumentFacts(rules: rules, isRaw: isRaw))
      } else {
        loader.synchronizeStatistics()
        if try loader.planHolds() {
          for remark in outcome.remarks { options.onDiagnostic?(remark) }
          return Loaded(loader: loader, connection: connection, outcome: outcome, meter: meter)
        }
        learn(from: loader, &learnt)
      }
      try loader.close()
      try truncate()
    }
    throw InternalFault("no plan held after \(InputLoading.mostPasses) readings")
  }

  private func learn(from loader: Loader, _ learnt: inout Learnt) {
    if loader.structureHolds {
      for case .key(let key) in loader.contradictions { learnt.rejectedKeys.insert(key) }
      for case .lateKey(let name) in loader.contradictions { learnt.lateKeys.insert(name) }
    } else {
      // The tables will have other rows, of which nothing is known.
      learnt.rejectedKeys = []
      learnt.lateKeys = []
    }
    learnt.facts = loader.facts
    learnt.facts.restartCounts()
  }
}
