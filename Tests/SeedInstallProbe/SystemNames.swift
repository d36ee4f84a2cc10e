#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `rename`, where a case of the same name hides it.
func systemRename(_ from: String, _ to: String) -> Int32 { rename(from, to) }

/// `kill`, where a case of the same name hides it.
func systemKill(_ process: pid_t, _ number: Int32) { kill(process, number) }
