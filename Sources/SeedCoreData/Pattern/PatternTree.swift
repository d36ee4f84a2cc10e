/// What a regular expression is made of, as far as it is regular.
indirect enum PatternTree {
  /// One character that is just this.
  case literal(Unicode.Scalar)
  /// One character of those that a piece of the pattern means, such as `\d` or `[a-z]`.
  case set(String)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// Something so many times; without a bound if there is no most.
  case repetition(PatternTree, least: Int, most: Int?)
}
