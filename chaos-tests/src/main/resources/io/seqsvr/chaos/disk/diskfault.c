/*
 * Makes the disk of one process fail: loaded before libc (LD_PRELOAD), it stands between the process and fsync,
 * fdatasync and the calls that write. What it does is said by a file that both sides see, SEQSVR_DISK_FAULT:
 *
 *   offset  0  int32   the fault, see below; whoever controls the process writes it
 *   offset  4  int32   how long a sync takes while the fault is SLOW, in milliseconds
 *   offset  8  int32   syncs of matching files so far
 *   offset 12  int32   calls that failed, or that lied, so far
 *   offset 16  int32   syncs of matching files that were asked for after the first one that failed
 *   offset 64  text    a file matches if its path contains this, or ends with it if a '$' follows; ended by a zero byte
 *
 * DiskFault.java writes it, and has the same numbers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum fault { NONE, SYNC_FAILS_ONCE, SYNC_FAILS, SYNC_HANGS, SYNC_IS_SLOW, SYNC_LIES, NO_SPACE, SYNC_FAILS_AND_FORGETS };

struct control {
  _Atomic int32_t fault;
  _Atomic int32_t slow_millis;
  _Atomic int32_t syncs;
  _Atomic int32_t struck;
  _Atomic int32_t syncs_after_failure;
  int32_t unused[11];
  char path[192];
};

static struct control *control;

__attribute__((constructor)) static void find_control(void) {
  const char *file = getenv("SEQSVR_DISK_FAULT");
  int fd = file == NULL ? -1 : open(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  void *shared = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared != MAP_FAILED) {
    control = shared;
  }
  close(fd);
}

/* Finds libc's own function of that name. */
static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) {
    fprintf(stderr, "diskfault: libc has no %s\n", name);
    abort();
  }
  return found;
}

static int matches(int fd) {
  char link[64];
  char path[PATH_MAX];
  if (control == NULL || control->path[0] == '\0') {
    return 0;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) {
    return 0;
  }
  path[length] = '\0';
  size_t wanted = strlen(control->path);
  if (control->path[wanted - 1] != '$') {
    return strstr(path, control->path) != NULL;
  }
  size_t end = wanted - 1;
  return (size_t)length >= end && strncmp(path + length - end, control->path, end) == 0;
}

static void rest(int millis) {
  struct timespec time = {millis / 1000, (long)(millis % 1000) * 1000000L};
  nanosleep(&time, NULL);
}

/* The failure of a sync that the fault demands: 0 to go on, -1 to fail, 1 to lie. */
static int strike_sync(int fd) {
  int32_t once = SYNC_FAILS_ONCE;
  int32_t forgetful = SYNC_FAILS_AND_FORGETS;
  if (!matches(fd)) {
    return 0;
  }
  atomic_fetch_add(&control->syncs, 1);
  if (control->syncs_after_failure > 0) {
    atomic_fetch_add(&control->syncs_after_failure, 1);
  }
  /* Linux takes the pages of a sync that failed for written: the next one succeeds without them. */
  if (atomic_compare_exchange_strong(&control->fault, &once, NONE)
      || atomic_compare_exchange_strong(&control->fault, &forgetful, SYNC_LIES) || control->fault == SYNC_FAILS) {
    int32_t none = 0;
    atomic_fetch_add(&control->struck, 1);
    /* It counts from 1 here, so that the failing sync itself starts the count; the reader takes 1 off. */
    atomic_compare_exchange_strong(&control->syncs_after_failure, &none, 1);
    errno = EIO;
    return -1;
  }
  if (control->fault == SYNC_LIES) {
    atomic_fetch_add(&control->struck, 1);
    return 1;
  }
  if (control->fault == SYNC_IS_SLOW) {
    atomic_fetch_add(&control->struck, 1);
    rest(control->slow_millis);
  }
  if (control->fault == SYNC_HANGS) {
    atomic_fetch_add(&control->struck, 1);
  }
  while (control->fault == SYNC_HANGS) {
    rest(10);
  }
  return 0;
}

static int strike_write(int fd) {
  if (control == NULL || control->fault != NO_SPACE || !matches(fd)) {
    return 0;
  }
  atomic_fetch_add(&control->struck, 1);
  errno = ENOSPC;
  return -1;
}

int fsync(int fd) {
  static int (*real)(int);
  int struck = strike_sync(fd);
  if (struck != 0) {
    return struck < 0 ? -1 : 0;
  }
  if (real == NULL) {
    real = next("fsync");
  }
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  int struck = strike_sync(fd);
  if (struck != 0) {
    return struck < 0 ? -1 : 0;
  }
  if (real == NULL) {
    real = next("fdatasync");
  }
  return real(fd);
}

/* A lie must not be found out because somebody had the kernel write early. */
int sync_file_range(int fd, off64_t offset, off64_t length, unsigned int flags) {
  static int (*real)(int, off64_t, off64_t, unsigned int);
  if (control != NULL && control->fault == SYNC_LIES && matches(fd)) {
    return 0;
  }
  if (real == NULL) {
    real = next("sync_file_range");
  }
  return real(fd, offset, length, flags);
}

ssize_t write(int fd, const void *bytes, size_t length) {
  static ssize_t (*real)(int, const void *, size_t);
  if (strike_write(fd) != 0) {
    return -1;
  }
  if (real == NULL) {
    real = next("write");
  }
  return real(fd, bytes, length);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (strike_write(fd) != 0) {
    return -1;
  }
  if (real == NULL) {
    real = next("pwrite");
  }
  return real(fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (strike_write(fd) != 0) {
    return -1;
  }
  if (real == NULL) {
    real = next("pwrite64");
  }
  return real(fd, bytes, length, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (strike_write(fd) != 0) {
    return -1;
  }
  if (real == NULL) {
    real = next("writev");
  }
  return real(fd, parts, count);
}
