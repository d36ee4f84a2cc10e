// A clock of its own, because a child starts with the peak memory of the process that forked it: a
// script's interpreter would hide what a small program uses.
#include "benchmarks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int measure(char *const command[]) {
  double start = now();
  pid_t child = fork();
  if (child < 0) fail("cannot start a process: %s", strerror(errno));
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, STDOUT_FILENO);
    execvp(command[0], command);
    fprintf(stderr, "cannot run %s: %s\n", command[0], strerror(errno));
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) fail("lost the process: %s", strerror(errno));
  }
  double wall = now() - start;
#ifdef __APPLE__
  long peak = usage.ru_maxrss / 1024;
#else
  long peak = usage.ru_maxrss;
#endif
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  printf("%.6f %.6f %.6f %ld %d\n", wall, seconds_of(usage.ru_utime), seconds_of(usage.ru_stime),
         peak, code);
  return 0;
}
