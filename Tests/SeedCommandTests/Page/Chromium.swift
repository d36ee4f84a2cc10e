import Foundation
import TestSupport
import Testing

/// Opens pages in a browser without a window and has a script look at them from outside.
///
/// The page itself stays as it is, policy included: it is framed by another page, whose script
/// reaches into the frame.
enum Chromium {
  /// What was found about one page.
  struct Audit {
    var frames: [Frame]
    /// What the browser wrote to the console.
    var console: [String]
  }

  /// What was found at one width.
  struct Frame: Decodable {
    var width: Int
    var isDark: Bool
    var problems: [String]
  }

  static let executable: String? =
    ["chromium", "chromium-browser", "google-chrome"].lazy
    .compactMap { InstalledProgram.path(of: $0) }.first

  static func audit(
    page: String, in directory: TemporaryDirectory, widths: [Int], isDark: Bool
  ) throws -> Audit {
    let executable = try #require(executable, "Chromium is missing: apt-get install chromium")
    let frames = widths.map {
      "<iframe src=\"\(page)\" width=\"\($0)\" height=\"900\" style=\"border:0\"></iframe>"
    }
    try directory.write(
      "<!DOCTYPE html><body>\(frames.joined())<pre id=\"result\"></pre>"
        + "<script>\(script)</script></body>", to: "audit.html")
    let run = try CommandRun.run(
      executable,
      [
        // Root, under which tests may run, has no sandbox.
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--user-data-dir=\(directory.path("profile"))",
        "--allow-file-access-from-files", "--enable-logging=stderr", "--window-size=1600,1000",
        "--dump-dom",
      ] + (isDark ? ["--force-dark-mode"] : []) + ["file://\(directory.path("audit.html"))"])
    let pattern = /<pre id="result">(.*?)<\/pre>/
    let result = try #require(
      run.text.firstMatch(of: pattern)?.output.1, "no result: \(run.errorText)")
    let json = result.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&")
    return Audit(
      frames: try JSONDecoder().decode([Frame].self, from: Data(json.utf8)),
      console: run.errorText.split(separator: "\n").map(String.init)
        .filter { $0.contains("CONSOLE") })
  }

  /// Looks for what a reader or a program that reads aloud would trip over.
  private static let script = """
    function luminance(c) {
      return c.slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    }
    function channels(text) { return text.match(/[\\d.]+/g).map(Number); }
    function ground(view, element) {
      if (element.closest('svg')) {
        const group = element.closest('a');
        const kind = element.classList.contains('title') ? '.head' : '.box';
        return channels(view.getComputedStyle(group.querySelector(kind)).fill);
      }
      for (let e = element; e; e = e.parentElement) {
        const c = channels(view.getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] === 1) return c;
      }
      return [255, 255, 255];
    }
    function contrast(view, element) {
      const style = view.getComputedStyle(element);
      const ink = channels(element.closest('svg') ? style.fill : style.color);
      const [a, b] = [luminance(ink), luminance(ground(view, element))].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    }
    function isShown(view, element) { return element.getClientRects().length > 0; }
    function problems(view, width) {
      const page = view.document, found = [];
      if (page.documentElement.scrollWidth > width)
        found.push('overflows: ' + page.documentElement.scrollWidth + ' px');
      if (page.scripts.length > 0 || page.images.length > 0) found.push('has a script or image');
      if (channels(view.getComputedStyle(page.body).backgroundColor)[3] === 0)
        found.push('no style');
      if (page.querySelectorAll('h1').length !== 1) found.push('not one h1');
      let level = 0;
      for (const h of page.querySelectorAll('h1, h2, h3, h4')) {
        if (+h.tagName[1] > level + 1) found.push(h.tagName + ' skips a level');
        level = +h.tagName[1];
      }
      for (const th of page.querySelectorAll('th:not([scope])')) found.push('th has no scope');
      const ids = new Set();
      for (const e of page.querySelectorAll('[id]')) {
        if (ids.has(e.id)) found.push('id twice: ' + e.id);
        ids.add(e.id);
      }
      for (const a of page.querySelectorAll('a')) {
        const target = a.getAttribute('href');
        if (target[0] !== '#' || !ids.has(target.slice(1)))
          found.push('link leads nowhere: ' + target);
      }
      const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !isShown(view, element)) continue;
        const ratio = contrast(view, element);
        if (ratio < 4.5)
          found.push('contrast ' + ratio.toFixed(2) + ': ' + element.outerHTML.slice(0, 80));
        const box = element.getBoundingClientRect();
        if (!element.closest('.scroll') && (box.left < 0 || box.right > width + 1))
          found.push('sticks out: ' + element.outerHTML.slice(0, 80));
      }
      return found.slice(0, 20);
    }
    window.onload = () => {
      const frames = [...document.querySelectorAll('iframe')].map(frame => {
        const view = frame.contentWindow, width = +frame.width;
        return {
          width, isDark: view.matchMedia('(prefers-color-scheme: dark)').matches,
          problems: problems(view, width),
        };
      });
      document.getElementById('result').textContent = JSON.stringify(frames);
    };
    """
}
