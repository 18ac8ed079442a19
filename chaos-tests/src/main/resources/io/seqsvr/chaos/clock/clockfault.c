/*
 * Gives one process clocks of its own: loaded before libc (LD_PRELOAD), it stands between the process and whatever
 * tells the time, and whatever waits until a time. What it does is said by a file that both sides see, SEQSVR_CLOCK_FAULT:
 *
 *   offset  0  int64   how often the clocks were set; 0 if never
 *   offset  8  int64   the number at offset 0 that was in force when the process last read a wall clock that was not true
 *   offset 16  int64   the same of a monotonic clock
 *   offset 24  4 int64 what is in force while that number is even
 *   offset 56  4 int64 what is in force while it is odd
 *
 * Each of these four:
 *
 *   offset  0  nanoseconds to be added to the wall clock
 *   offset  8  nanoseconds to be added to the monotonic clocks
 *   offset 16  by how many millionths both go faster, or slower where it is below 0
 *   offset 24  since when, by the true monotonic clock, in nanoseconds
 *
 * The writer fills in the four that are not in force, and then counts on. So the process always finds four numbers that
 * belong together, wherever the writer has been interrupted: a clock that jumps ahead for a moment, by a rate without
 * its beginning, would set a timer for good.
 *
 * The clock that counts from boot stays true, as it does when a virtual machine is suspended. ClockFault.java writes
 * the file, and has the same numbers. Waits that are under way when a clock is set end when they would have.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ll
#define MILLION 1000000ll
/* Times above this are told by a wall clock: nobody's machine has run for 30 years. */
#define WALL_SECONDS 1000000000ll

struct setting {
  _Atomic int64_t wall;
  _Atomic int64_t monotonic;
  _Atomic int64_t faster;
  _Atomic int64_t since;
};

struct control {
  _Atomic int64_t version;
  _Atomic int64_t wall_seen;
  _Atomic int64_t monotonic_seen;
  struct setting settings[2];
};

struct skew {
  int64_t wall, monotonic;
  int64_t faster;
  int64_t version;
};

static struct control *control;
static int (*true_gettime)(clockid_t, struct timespec *);

static void *next(const char *name, const char *version) {
  void *found = version == NULL ? NULL : dlvsym(RTLD_NEXT, name, version);
  return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void begin(void) {
  true_gettime = next("clock_gettime", NULL);
  const char *file = getenv("SEQSVR_CLOCK_FAULT");
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

static int64_t true_nanos(clockid_t clock) {
  struct timespec time = {0};
  if (true_gettime == NULL) {
    syscall(SYS_clock_gettime, clock, &time);
  } else {
    true_gettime(clock, &time);
  }
  return time.tv_sec * SECOND + time.tv_nsec;
}

/* By how much the clocks differ from the true ones now; 0 if they do not. */
static int read_skew(struct skew *skew) {
  if (control == NULL || atomic_load(&control->version) == 0) {
    return 0;
  }
  int64_t since;
  do {
    skew->version = atomic_load(&control->version);
    struct setting *in_force = &control->settings[skew->version & 1];
    skew->wall = atomic_load(&in_force->wall);
    skew->monotonic = atomic_load(&in_force->monotonic);
    skew->faster = atomic_load(&in_force->faster);
    since = atomic_load(&in_force->since);
  } while (skew->version != atomic_load(&control->version));
  if (skew->faster != 0) {
    __int128 elapsed = true_nanos(CLOCK_MONOTONIC) - since;
    int64_t gained = (int64_t)(elapsed * skew->faster / MILLION);
    skew->wall += gained;
    skew->monotonic += gained;
  }
  return skew->wall != 0 || skew->monotonic != 0;
}

static int64_t offset_of(clockid_t clock, const struct skew *skew) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
    return skew->wall;
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
    return skew->monotonic;
  default:
    return 0;
  }
}

static int is_wall(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

static void set(struct timespec *time, int64_t nanos) {
  nanos = nanos < 0 ? 0 : nanos;
  time->tv_sec = nanos / SECOND;
  time->tv_nsec = nanos % SECOND;
}

/* --- Telling the time --------------------------------------------------------------------------------------------- */

int clock_gettime(clockid_t clock, struct timespec *time) {
  int status = true_gettime == NULL ? (int)syscall(SYS_clock_gettime, clock, time) : true_gettime(clock, time);
  struct skew skew;
  if (status == 0 && read_skew(&skew)) {
    int64_t offset = offset_of(clock, &skew);
    if (offset != 0) {
      set(time, time->tv_sec * SECOND + time->tv_nsec + offset);
      _Atomic int64_t *seen = is_wall(clock) ? &control->wall_seen : &control->monotonic_seen;
      atomic_store_explicit(seen, skew.version, memory_order_relaxed);
    }
  }
  return status;
}

int gettimeofday(struct timeval *time, void *zone) {
  struct timespec now;
  (void)zone;
  int status = clock_gettime(CLOCK_REALTIME, &now);
  if (status == 0) {
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
  }
  return status;
}

time_t time(time_t *where) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where != NULL) {
    *where = now.tv_sec;
  }
  return now.tv_sec;
}

/* --- Waiting until a time ----------------------------------------------------------------------------------------- */

/* The true time at which the process's own clock will show this one. */
static struct timespec true_time(const struct timespec *until) {
  struct skew skew;
  struct timespec wait = *until;
  if (!read_skew(&skew)) {
    return wait;
  }
  clockid_t clock = until->tv_sec > WALL_SECONDS ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  int64_t now = true_nanos(clock);
  int64_t left = until->tv_sec * SECOND + until->tv_nsec - (now + offset_of(clock, &skew));
  if (skew.faster != 0) {
    left = (int64_t)((__int128)left * MILLION / (MILLION + skew.faster));
  }
  set(&wait, now + left);
  return wait;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  static int (*true_wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (true_wait == NULL) {
    true_wait = next("pthread_cond_timedwait", "GLIBC_2.3.2");
  }
  struct timespec wait = true_time(until);
  return true_wait(condition, mutex, &wait);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  static int (*true_wait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (true_wait == NULL) {
    true_wait = next("pthread_cond_clockwait", NULL);
  }
  struct timespec wait = true_time(until);
  return true_wait == NULL ? ENOSYS : true_wait(condition, mutex, clock, &wait);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left) {
  static int (*true_sleep)(clockid_t, int, const struct timespec *, struct timespec *);
  if (true_sleep == NULL) {
    true_sleep = next("clock_nanosleep", NULL);
  }
  if ((flags & TIMER_ABSTIME) == 0) {
    return true_sleep(clock, flags, until, left);
  }
  struct timespec wait = true_time(until);
  return true_sleep(clock, flags, &wait, left);
}
