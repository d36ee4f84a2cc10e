import SeedFiles

/// The look of a page: one style sheet, and the policy that allows it and nothing else.
enum PageStyle {
  /// What the page may load and run: its own style sheet, known by its digest.
  ///
  /// Even markup that slipped through the escaping could load, run or send nothing.
  static var contentSecurityPolicy: String {
    var digest = SHA256Digest()
    let bytes = Array(sheet.utf8)
    bytes.withUnsafeBytes { digest.update($0) }
    return "default-src 'none'; style-src 'sha256-\(base64(digest.finalize()))'; "
      + "base-uri 'none'; form-action 'none'"
  }

  /// The style sheet, whose bytes the digest in the policy covers.
  static let sheet = colours + text + layout + tables + diagram + print

  /// Bytes in base 64 with padding.
  static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { $0 << 8 | Int($1 < group.count ? group[start + $1] : 0) }
      for place in 0..<4 {
        let isPadding = place > group.count
        text.append(isPadding ? UInt8(ascii: "=") : digits[bits >> (18 - 6 * place) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension PageStyle {
  /// Each text colour has a contrast of at least 4.5 to each ground it stands on.
  private static let colours = """
    :root {
      color-scheme: light dark;
      --ground: #ffffff; --raised: #f6f7f5; --ink: #1a1e21; --soft: #566069;
      --line: #e3e6e2; --strong: #b9c0ba; --accent: #17684a; --bar: #7fb39b; --head: #eaf1ed;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --ground: #14181a; --raised: #1b2023; --ink: #e4e8e6; --soft: #a0aaa6;
        --line: #2a3134; --strong: #4c5659; --accent: #7ecfa8; --bar: #3f8466; --head: #22302a;
      }
    }

    """

  private static let text = """
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--ground); color: var(--ink);
      font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial,
        sans-serif;
    }
    h1, h2, h3, h4 { line-height: 1.25; overflow-wrap: anywhere; text-wrap: balance; }
    h1 { font-size: 2rem; font-weight: 650; letter-spacing: -0.015em; margin: 0; }
    h2 { font-size: 1.375rem; font-weight: 650; letter-spacing: -0.01em; margin: 0 0 1rem; }
    h3 { font-size: 1.125rem; font-weight: 650; margin: 0; }
    h4 { font-size: 0.8125rem; font-weight: 600; color: var(--soft); margin: 0 0 0.5rem; }
    p { margin: 0; max-width: 42rem; }
    a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
    a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    code, pre, .value {
      font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono",
        "Liberation Mono", monospace;
      font-size: 0.8125rem; font-variant-ligatures: none;
    }
    code { unicode-bidi: isolate; overflow-wrap: anywhere; }
    table code { overflow-wrap: normal; }
    table code.long, .facts code, .inputs code { overflow-wrap: anywhere; }
    h3 code { font-size: 1.0625rem; }
    pre {
      margin: 0; padding: 0.875rem 1rem; background: var(--raised); border-radius: 0.375rem;
      line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere;
    }
    .soft, .kind, figcaption { color: var(--soft); }
    .kind, .meta, figcaption, footer { font-size: 0.875rem; }

    """

  private static let layout = """
    header, main, footer { max-width: 80rem; margin: 0 auto; padding: 0 1.25rem; }
    header { padding-top: 2.5rem; }
    main > section { margin-top: 3.5rem; }
    footer { margin-top: 4rem; padding-bottom: 2.5rem; color: var(--soft); }
    dl { margin: 0; }
    dd { margin: 0; overflow-wrap: anywhere; }
    dt { color: var(--soft); font-size: 0.875rem; }
    .figures {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr));
      gap: 1.25rem 2rem; margin-top: 1.75rem; padding: 1.25rem 0;
      border: solid var(--line); border-width: 1px 0;
    }
    .figures dd { font-size: 1.5rem; font-weight: 600; line-height: 1.3; letter-spacing: -0.01em;
      font-variant-numeric: tabular-nums; }
    .pair { display: grid; gap: 0.375rem 3rem; }
    @media (min-width: 60rem) { .pair { grid-template-columns: minmax(0, 1fr) 25rem; } }
    .facts { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0.375rem 1.5rem;
      align-content: start; align-items: baseline; font-size: 0.9375rem; }
    .notes { margin: 1.5rem 0 0; padding: 0.875rem 1rem 0.875rem 2.25rem;
      background: var(--raised); border-radius: 0.375rem; font-size: 0.9375rem;
      overflow-wrap: anywhere; }
    .scroll { overflow-x: auto; }
    .wide { mask-image: linear-gradient(to left, transparent, #000 2rem); }
    @media (max-width: 60rem) {
      .scroll { mask-image: linear-gradient(to left, transparent, #000 2rem); }
      .scroll th:last-child, .scroll td:last-child { padding-right: 2rem; }
    }
    .scroll::-webkit-scrollbar { height: 0.5rem; }
    .scroll::-webkit-scrollbar-thumb { background: var(--strong); border-radius: 0.25rem; }
    .table { margin-top: 2rem; padding-top: 2rem; border-top: 1px solid var(--line);
      scroll-margin-top: 0; }
    .meta { color: var(--soft); margin-top: 0.25rem; max-width: none; }
    .parts { display: grid; gap: 1.75rem 3rem; margin-top: 1.25rem;
      grid-template-columns: minmax(0, 1fr); }
    @media (min-width: 60rem) { .parts.two { grid-template-columns: minmax(0, 1fr) 21rem; } }
    .parts ul { margin: 0; padding: 0; list-style: none; font-size: 0.875rem; }
    .parts li { padding: 0.4375rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
    .parts aside { display: grid; gap: 1.5rem; align-content: start; }
    .rows { margin-top: 1.75rem; }
    .definition { margin-top: 1.75rem; }
    .definition h3 { margin-bottom: 0.5rem; }
    @media (max-width: 30rem) {
      h1 { font-size: 1.625rem; }
      header { padding-top: 1.75rem; }
      .figures { grid-template-columns: 1fr 1fr; }
      .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
      .facts dd { margin-bottom: 0.625rem; }
    }

    """

  private static let tables = """
    table { border-collapse: collapse; width: 100%; font-size: 0.875rem;
      font-variant-numeric: tabular-nums; }
    th, td { text-align: left; vertical-align: baseline; padding: 0.4375rem 1.25rem 0.4375rem 0; }
    th:last-child, td:last-child { padding-right: 0; }
    thead th { font-size: 0.8125rem; font-weight: 600; color: var(--soft); padding-top: 0; }
    tbody th { font-weight: 400; }
    tbody tr { border-top: 1px solid var(--line); }
    th.number, td.number { text-align: right; white-space: nowrap; }
    .sub th { padding-left: 1.25rem; }
    .share { width: 40%; white-space: nowrap; }
    .share svg { width: calc(100% - 4rem); height: 0.5rem; vertical-align: 0.0625rem; }
    .share span { display: inline-block; width: 3.25rem; text-align: right;
      margin-right: 0.75rem; }
    .bar { fill: var(--bar); }
    .sub .bar { fill: var(--strong); }
    .track { fill: var(--line); }
    .columns th:last-child { width: 40%; min-width: 8rem; }
    .columns td:nth-child(3) { white-space: nowrap; }
    .sample { width: auto; }
    .sample th, .sample td { padding-right: 1.5rem; }
    .sample th:last-child, .sample td:last-child { padding-right: 2rem; }
    .sample thead th { white-space: nowrap; }
    .value { white-space: pre; }
    .value.long { white-space: pre-wrap; min-width: 15rem; max-width: 28rem;
      overflow-wrap: anywhere; }
    .value i { color: var(--soft); }
    .value .sign { font-style: normal; }
    @media (max-width: 30rem) {
      th, td { padding-right: 0.875rem; }
      .share { width: auto; }
      .share svg { display: none; }
      .share span { width: auto; margin: 0; }
      .diagram { padding: 0.75rem; }
    }

    """

  private static let diagram = """
    figure { margin: 0; }
    figcaption { margin-top: 0.875rem; }
    .diagram { padding: 1.25rem 0 1.25rem 1.25rem; background: var(--raised);
      border-radius: 0.5rem; }
    .diagram .scroll { display: flex; }
    .diagram svg { display: block; flex: none; margin: 0 auto; max-width: none;
      border-right: 2rem solid transparent; box-sizing: content-box; }
    .diagram text { font: 12px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono",
      "Liberation Mono", monospace; fill: var(--ink); }
    .diagram .title { font-size: 13px; font-weight: 600; fill: var(--accent); }
    .diagram .type, .diagram .more { fill: var(--soft); }
    .diagram .mark { font-size: 9.5px; font-weight: 600; fill: var(--soft); }
    .box { fill: var(--ground); stroke: var(--strong); }
    .head { fill: var(--head); }
    .rule { stroke: var(--strong); }
    .edge { fill: none; stroke: var(--soft); stroke-width: 1.25; }
    .end { fill: var(--soft); }
    .diagram a:hover .box, .diagram a:focus-visible .box { stroke: var(--accent);
      stroke-width: 2; }

    """

  private static let print = """
    @media print {
      @page { margin: 16mm; }
      body { font-size: 10pt; }
      header, main, footer { max-width: none; padding: 0; }
      main > section { margin-top: 2rem; }
      h2, h3, h4, .meta { break-after: avoid; }
      tr, .definition, figure { break-inside: avoid; }
      .scroll, .wide { overflow: visible; mask-image: none; }
      .diagram { padding: 0; background: none; }
      .diagram svg { max-width: 100%; height: auto; }
      a { color: inherit; text-decoration: none; }
      pre, .notes { border: 1px solid var(--line); background: none; }
    }

    """
}
