#pragma once
#include <sys/syscall.h>
#include <unistd.h>

// Calls of Linux that Swift's Glibc module does not show. By number where the C library declares
// them for GNU sources only.

/// Renames a file unless the new name is taken (`renameat2` with RENAME_NOREPLACE).
static inline int seed_rename_exclusive(const char *from, const char *to) {
  return (int)syscall(SYS_renameat2, -100, from, -100, to, 1u);
}

/// Makes an empty file share the blocks of another one (`ioctl` FICLONE).
static inline int seed_clone_contents(int from, int to) {
  return (int)syscall(SYS_ioctl, to, 0x40049409ul, from);
}

/// Copies bytes inside of the kernel, from both files' positions on (`copy_file_range`).
static inline long seed_copy_range(int from, int to, unsigned long byteCount) {
  return syscall(SYS_copy_file_range, from, (void *)0, to, (void *)0, byteCount, 0u);
}

/// Starts to write a file's bytes to the disk without waiting for them (`sync_file_range`).
static inline int seed_start_writeback(int file, long offset, long byteCount) {
  return (int)syscall(SYS_sync_file_range, file, offset, byteCount, 2u);
}
