import SeedCommand

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

exit(CommandLineTool.main(CommandLine.arguments))
