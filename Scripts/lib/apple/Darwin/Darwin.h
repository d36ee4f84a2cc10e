// The part of Apple's C library that Sources/SeedFiles uses, written from its manual pages and
// headers, so that the compiler on Linux can check calls that only Apple's systems have. Nothing is
// linked against it.
#pragma once

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long size_t;
typedef long ssize_t;
typedef int64_t off_t;
typedef uint16_t mode_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef long time_t;

struct timespec { time_t tv_sec; long tv_nsec; };

// errno is in Overlay.swift.
char *strerror(int code);
size_t strlen(const char *text);
void free(void *pointer);
char *getenv(const char *name);

enum : int32_t {
  EPERM = 1, ENOENT = 2, EINTR = 4, EIO = 5, EDEADLK = 11, EACCES = 13, EBUSY = 16, EEXIST = 17,
  EXDEV = 18, ENOTDIR = 20, EISDIR = 21, EINVAL = 22, ENFILE = 23, EMFILE = 24,
  ENOTTY = 25, EFBIG = 27, ENOSPC = 28,
  EROFS = 30, EMLINK = 31, EWOULDBLOCK = 35, ENOTSUP = 45, ELOOP = 62, EDQUOT = 69, ENOLCK = 77,
  ENOSYS = 78, EOPNOTSUPP = 102,
};
#define PATH_MAX 1024

// fcntl.h; in Swift its variadic functions have forms of their own.
#define O_RDONLY 0x0000
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_EXCL 0x0800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define F_FULLFSYNC 51
#define F_SETPROTECTIONCLASS 64
#define F_BARRIERFSYNC 85
#define F_GETLK 7
#define F_UNLCK 2
#define F_WRLCK 3
#define SEEK_SET 0
struct flock { off_t l_start; off_t l_len; pid_t l_pid; short l_type; short l_whence; };
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
int flock(int descriptor, int operation);

// sys/resource.h
typedef uint64_t rlim_t;
struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; };
#define RLIMIT_NOFILE 8
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);

// unistd.h
#define STDERR_FILENO 2
int close(int descriptor);
ssize_t read(int descriptor, void *buffer, size_t count);
ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset);
ssize_t write(int descriptor, const void *bytes, size_t count);
int fsync(int descriptor);
int ftruncate(int descriptor, off_t length);
int link(const char *from, const char *to);
int unlink(const char *path);
ssize_t readlink(const char *path, char *buffer, size_t size);
pid_t getpid(void);
void _exit(int status) __attribute__((noreturn));
char *realpath(const char *path, char *resolved);

// stdio.h
int rename(const char *from, const char *to);
int renamex_np(const char *from, const char *to, unsigned int flags);
#define RENAME_EXCL 0x00000004

// sys/clonefile.h
#define CLONE_NOOWNERCOPY 0x0002
int clonefile(const char *from, const char *to, uint32_t flags);

// sys/xattr.h
ssize_t flistxattr(int descriptor, char *names, size_t size, int options);
int fremovexattr(int descriptor, const char *name, int options);

// sys/stat.h
#define S_IFMT ((mode_t)0170000)
#define S_IFDIR ((mode_t)0040000)
#define S_IFREG ((mode_t)0100000)
#define S_IFLNK ((mode_t)0120000)
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  uint16_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  int64_t st_blocks;
  int32_t st_blksize;
};
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
int fchmod(int descriptor, mode_t mode);
int mkdir(const char *path, mode_t mode);

// sys/statvfs.h: the counts have 32 bits.
struct statvfs {
  unsigned long f_bsize, f_frsize;
  unsigned int f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail;
  unsigned long f_fsid, f_flag, f_namemax;
};
int statvfs(const char *path, struct statvfs *status);

// dirent.h
typedef struct { int descriptor; } DIR;
struct dirent {
  uint64_t d_ino, d_seekoff;
  uint16_t d_reclen, d_namlen;
  uint8_t d_type;
  char d_name[1024];
};
DIR *opendir(const char *path);
struct dirent *readdir(DIR *stream);
int closedir(DIR *stream);

// signal.h
#define SIGHUP 1
#define SIGINT 2
#define SIGPIPE 13
#define SIGTERM 15
#define SIGXFSZ 25
#define SIG_BLOCK 1
#define SIG_SETMASK 3
typedef uint32_t sigset_t;
typedef void (*sig_t)(int);
union __sigaction_u { void (*__sa_handler)(int); };
struct sigaction {
  union __sigaction_u __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
int sigaction(int number, const struct sigaction *action, struct sigaction *before);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
sig_t signal(int number, sig_t handler);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);

// pthread.h, time.h
typedef struct { long opaque[8]; } pthread_mutex_t;
typedef struct { long opaque[2]; } pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int nanosleep(const struct timespec *time, struct timespec *left);
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6 } clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);
