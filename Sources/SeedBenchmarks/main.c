// The yardstick that `seed build` is measured against, the files both are run on, and the clock.
#include "benchmarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("SeedBenchmarks: error: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

static int usage(FILE *stream, int code) {
  fputs("usage: SeedBenchmarks generate DIRECTORY SCALE\n"
        "       SeedBenchmarks yardstick events|orders|posts INPUT OUTPUT\n"
        "       SeedBenchmarks upserts DATABASE COUNT ROUND\n"
        "       SeedBenchmarks scan DATABASE TABLE\n"
        "       SeedBenchmarks measure COMMAND [ARGUMENT ...]\n"
        "Scripts/bench runs all three and compares.\n",
        stream);
  return code;
}

int main(int count, char *argument[]) {
  const char *verb = count > 1 ? argument[1] : "";
  if (strcmp(verb, "generate") == 0 && count == 4) {
    char *end;
    double scale = strtod(argument[3], &end);
    if (*end != 0 || !(scale > 0 && scale <= 100))
      fail("a scale is a number up to 100, not %s", argument[3]);
    generate(argument[2], scale);
    return 0;
  }
  if (strcmp(verb, "yardstick") == 0 && count == 5) {
    yardstick(argument[2], argument[3], argument[4]);
    return 0;
  }
  if (strcmp(verb, "upserts") == 0 && count == 5) {
    upserts(argument[2], atol(argument[3]), atoi(argument[4]));
    return 0;
  }
  if (strcmp(verb, "scan") == 0 && count == 4) {
    scan(argument[2], argument[3]);
    return 0;
  }
  if (strcmp(verb, "measure") == 0 && count > 2) return measure(argument + 2);
  if (strcmp(verb, "--help") == 0) return usage(stdout, 0);
  return usage(stderr, 64);
}
