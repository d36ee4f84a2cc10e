internal import SeedFiles
internal import SeedInput
internal import SeedModel
internal import SeedSQLite

/// Turns whatever a build's parts throw into the one error that its callers handle.
package enum BuildFailure {
  /// Runs the body and describes what it throws.
  package static func described<Result>(output: String, _ body: () throws -> Result) throws
    -> Result
  {
    do {
      return try body()
    } catch let error as BuildError {
      throw BuildError(error.reason, ExcerptLookup.completed(error.diagnostics))
    } catch let error as InputError {
      throw BuildError(reason(of: error), [error.diagnostic])
    } catch let error as InputErrors {
      throw BuildError(.input, error.errors.map(\.diagnostic))
    } catch let error as ValueRulesError {
      throw BuildError(.usage, [Diagnostic(.error, "\(error)", hint: error.hint)])
    } catch let error as PublishError {
      throw BuildError(
        error.isCreation ? .cannotCreate : .inputOutput,
        [Diagnostic(.error, "\(error)", hint: error.hint)])
    } catch let error as FileError {
      throw BuildError(.inputOutput, [Diagnostic(.error, "\(error)")])
    } catch let error as SQLiteError {
      throw sqliteFailure(error, output: output)
    } catch let error as PublicationCheck.Failure {
      throw fault("the finished database is not sound: \(error.finding)")
    } catch let error as WorkerThreadError {
      throw BuildError(
        .inputOutput, [Diagnostic(.error, "no thread can be started (error \(error.errno))")])
    } catch let error as InternalFault {
      throw fault(error.message)
    }
  }

  private static func reason(of error: InputError) -> BuildError.Reason {
    switch error.reason {
    case .missing, .missingCompanion, .isDirectory: .missingInput
    case .unreadable(let operation, _): operation == "open" ? .missingInput : .inputOutput
    case .changedWhileRead: .inputOutput
    default: .input
    }
  }

  private static func sqliteFailure(_ error: SQLiteError, output: String) -> BuildError {
    if error.isDiskFull || error.isInputOutput {
      return BuildError(
        .inputOutput,
        [
          Diagnostic(
            .error, "cannot write \(output): \(error.message)",
            hint: "see that the disk has room for the whole database")
        ])
    }
    if error.cannotOpen || error.isReadOnly {
      return BuildError(
        .cannotCreate, [Diagnostic(.error, "cannot write \(output): \(error.message)")])
    }
    return fault("\(error)")
  }

  private static func fault(_ message: String) -> BuildError {
    BuildError(
      .internalFault,
      [
        Diagnostic(
          .error, message, hint: "this is a fault of seed; please report it with the input")
      ])
  }
}
