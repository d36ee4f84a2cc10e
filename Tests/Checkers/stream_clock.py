"""usage: stream_clock.py SEED     (Linux; needs a C compiler)

Runs `seed stream` with the device's clock ten years ahead, ten years behind, going backwards all the
while, and in other time zones, against a server whose own date is wrong and that is busy at first. The
requests and the result have to be those of a run with the right clock.
"""

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

from stream_history import History
from stream_kills import check

# Stands before the C library: the clock on the wall is another one, all others are the system's.
SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long long shift(void) {
  static long long steps;
  const char *offset = getenv("CLOCK_OFFSET"), *step = getenv("CLOCK_STEP");
  steps += step ? atoll(step) : 0;
  return (offset ? atoll(offset) : 0) + steps;
}
int clock_gettime(clockid_t id, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, time);
  if (id == CLOCK_REALTIME) time->tv_sec += shift();
  return result;
}
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
"""

TEN_YEARS = 10 * 365 * 86400


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files, a date of long ago, and one answer that asks to come back at a date."""

    trace = []

    def do_GET(self):
        Handler.trace.append((self.path, self.headers.get("Range"), self.headers.get("If-None-Match")))
        if len(Handler.trace) == 1:
            self.send_response_only(503)
            self.send_header("Date", "Tue, 15 Nov 1994 08:12:31 GMT")
            self.send_header("Retry-After", "Tue, 15 Nov 1994 08:12:32 GMT")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()

    def date_time_string(self, timestamp=None):
        return "Tue, 15 Nov 1994 08:12:31 GMT"

    def log_message(self, format, *args):
        pass


def run(seed, folder, history, port, changes):
    """One run; returns the requests and the result."""
    app = os.path.join(folder, "app")
    shutil.rmtree(app, ignore_errors=True)
    os.mkdir(app)
    path = os.path.join(app, "app.sqlite")
    shutil.copyfile(os.path.join(folder, "bundle.sqlite"), path)
    Handler.trace = []
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(app, "cache"), **changes)
    command = [seed, "stream", path, "--once", "--source", f"http://127.0.0.1:{port}/", "--json",
               "--retry-delay", "0.01"]
    answer = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert check(path, history, 1) == history.seq
    # Two objects are on their way at once; which is first does not matter.
    return sorted(Handler.trace), json.loads(answer.stdout)


def main():
    seed = sys.argv[1]
    history = History(seed=9)
    for _ in range(6):
        history.publish()
    folder = tempfile.mkdtemp(prefix="seed-clock-")
    try:
        source = os.path.join(folder, "source")
        history.write(source, [1])
        history.write_database(os.path.join(folder, "bundle.sqlite"), 1)
        subprocess.run(
            ["python3", "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript("
             "'CREATE TABLE user_note(id INTEGER PRIMARY KEY, text TEXT);"
             "INSERT INTO user_note VALUES (1, \"mine\")')", os.path.join(folder, "bundle.sqlite")],
            check=True)
        shim = os.path.join(folder, "clock.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", shim, "-ldl"],
                       input=SHIM, text=True, check=True)
        shown = subprocess.run(["date", "+%Y"], capture_output=True, check=True, text=True,
                               env=dict(os.environ, LD_PRELOAD=shim, CLOCK_OFFSET=str(TEN_YEARS)))
        plain = subprocess.run(["date", "+%Y"], capture_output=True, check=True, text=True)
        assert int(shown.stdout) - int(plain.stdout) in (9, 10), "the shim does nothing"
        compare(seed, folder, history, source, shim)
    finally:
        shutil.rmtree(folder)


def compare(seed, folder, history, source, shim):
    """Runs with each clock and compares."""
    handler = functools.partial(Handler, directory=source)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    right = run(seed, folder, history, port, {})
    cases = {
        "ten years ahead": {"LD_PRELOAD": shim, "CLOCK_OFFSET": str(TEN_YEARS)},
        "ten years behind": {"LD_PRELOAD": shim, "CLOCK_OFFSET": str(-TEN_YEARS)},
        "backwards": {"LD_PRELOAD": shim, "CLOCK_STEP": "-3600"},
        "forwards": {"LD_PRELOAD": shim, "CLOCK_STEP": "3600"},
        "Kiritimati": {"TZ": "Pacific/Kiritimati"}, "no zone": {"TZ": ":nonsense"},
    }
    for name, changes in cases.items():
        assert run(seed, folder, history, port, changes) == right, name
    print(f"{len(cases)} clocks, {len(right[0])} requests each: all as with the right one")
    server.shutdown()


if __name__ == "__main__":
    main()
