import SeedStore

extension SeedError {
  /// Whose fault it is that a seed was not installed.
  var exitCode: ExitCode {
    switch reason {
    case .system(_, _):
      switch step {
      case .checkSource: .missingInput
      case .resolve, .probe, .lock, .sweep: .cannotCreate
      default: .inputOutput
      }
    case .database(let code, _): code & 0xFF == 26 || code & 0xFF == 11 ? .badInput : .inputOutput
    case .sourceMissing, .manifestMissing, .destinationMissing, .databaseMissing: .missingInput
    case .noDigest, .isTheSeed: .usage
    case .keysTaken: .cannotCreate
    case .notAFileName, .nameTooLong, .isSymbolicLink, .unusableDestination, .encodingDiffers,
      .destinationUnusable,
      .nothingToRollBack, .mergeRefused:
      .cannotCreate
    case .isDirectory, .notARegularFile: step == .checkSource ? .missingInput : .cannotCreate
    case .unusableManifest, .notADatabase, .wrongSize, .newerFormat, .unfinishedLog,
      .sourceChanged, .wrongDigest, .manifestMismatch, .damagedArchive, .archiveCutOff,
      .archiveOfSeveralMembers, .failedCheck, .notReadableInPlace:
      .badInput
    case .noSpace, .lockTimedOut: .inputOutput
    case .cancelled: .interrupted
    case .preparationFailed, .stillOpen: .internalFault
    }
  }
}
