/*
 * A network of hosts on one machine, and the switch between them. Each host is a network namespace with one TAP device;
 * the first host is the namespace that this program was started in. Every frame passes through here, where each link,
 * that is each pair of hosts in one direction, loses, delays, doubles, reorders, damages or slows down what it carries.
 *
 *   network SEED PREFIX HOST...     PREFIX is three bytes of an IPv4 address, "10.83.1"; the first host is PREFIX.1
 *
 * Says "HOST FD" for every host: /proc/PID/fd/FD is its namespace. Then it reads commands, a line each, and answers
 * each with what the link has carried so far:
 *
 *   FROM TO                                          hosts by number, from 1
 *   FROM TO LOSS DELAY JITTER DOUBLE REORDER DAMAGE RESET RATE SPIKE
 *                    and from now on the link does this: chances by the million, times in microseconds, the rate in
 *                    kbit/s, 0 for no limit; SPIKE is a delay of those frames that come while one lasts
 *   -> carried lost delayed doubled overtaken damaged reset
 *
 * Ends, and takes everything with it, when its standard input does: nothing outlives whoever started it.
 * VirtualNetwork.java starts it, and has the same numbers.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST_HOSTS 64
#define MTU 9000
#define MOST_BYTES (MTU + 64)
#define MOST_WAITING 8192 /* frames of one link; more are lost, as in any queue */
#define HEADER 14
#define MILLION 1000000
#define HELD_MICROS 10000u /* so long a frame that is to be overtaken waits beside the delay of all others */
#define SPIKE_EVERY_NANOS 4000000000u
#define SPIKE_LASTS_NANOS 500000000u

struct link {
  long loss, delay, jitter, twice, reorder, damage, reset, rate, spike;
  long carried, lost, delayed, doubled, overtaken, damaged, resets;
  uint64_t last_due, free_at, held_due;
  int waiting, held; /* of those that are to be overtaken, how many none has overtaken yet */
};

struct frame {
  uint64_t due, number;
  struct link *link;
  int to, length;
  unsigned char bytes[];
};

static struct link links[MOST_HOSTS][MOST_HOSTS];
static int taps[MOST_HOSTS], hosts;
static struct frame **heap;
static int heaped, heap_room;
static uint64_t frames, dice;

static void fail(const char *what) {
  fprintf(stderr, "network: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* splitmix64. */
static uint64_t draw(void) {
  uint64_t z = dice += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static int chance(long of_million) { return of_million > 0 && (long)(draw() % MILLION) < of_million; }

/* --- Hosts -------------------------------------------------------------------------------------------------------- */

static void bring_up(int control, const char *device) {
  struct ifreq request = {0};
  strcpy(request.ifr_name, device);
  if (ioctl(control, SIOCGIFFLAGS, &request) != 0) {
    fail("SIOCGIFFLAGS");
  }
  request.ifr_flags |= IFF_UP | IFF_RUNNING;
  if (ioctl(control, SIOCSIFFLAGS, &request) != 0) {
    fail("SIOCSIFFLAGS");
  }
}

static void give_address(int control, const char *device, const char *prefix, int number) {
  struct ifreq request = {0};
  struct sockaddr_in *address = (struct sockaddr_in *)&request.ifr_addr;
  char text[32];
  strcpy(request.ifr_name, device);
  request.ifr_hwaddr.sa_family = 1; /* Ethernet */
  unsigned char mac[6] = {2, 'S', 'Q', 0, 0, (unsigned char)number};
  memcpy(request.ifr_hwaddr.sa_data, mac, sizeof mac);
  if (ioctl(control, SIOCSIFHWADDR, &request) != 0) {
    fail("SIOCSIFHWADDR");
  }
  memset(&request.ifr_ifru, 0, sizeof request.ifr_ifru);
  request.ifr_mtu = MTU;
  if (ioctl(control, SIOCSIFMTU, &request) != 0) {
    fail("SIOCSIFMTU");
  }
  memset(&request.ifr_ifru, 0, sizeof request.ifr_ifru);
  address->sin_family = AF_INET;
  snprintf(text, sizeof text, "%s.%d", prefix, number);
  if (inet_pton(AF_INET, text, &address->sin_addr) != 1) {
    fail(text);
  }
  if (ioctl(control, SIOCSIFADDR, &request) != 0) {
    fail("SIOCSIFADDR");
  }
  inet_pton(AF_INET, "255.255.255.0", &address->sin_addr);
  if (ioctl(control, SIOCSIFNETMASK, &request) != 0) {
    fail("SIOCSIFNETMASK");
  }
}

/* Makes the device of a host in the namespace that this thread is in. */
static void plug_in(const char *prefix, int number) {
  int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  struct ifreq request = {0};
  if (control < 0 || tap < 0) {
    fail("/dev/net/tun");
  }
  strcpy(request.ifr_name, "seqsvr%d");
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  if (ioctl(tap, TUNSETIFF, &request) != 0) {
    fail("TUNSETIFF");
  }
  give_address(control, request.ifr_name, prefix, number);
  bring_up(control, request.ifr_name);
  bring_up(control, "lo");
  close(control);
  taps[number] = tap;
}

static void make_hosts(const char *prefix, int count, char **names) {
  for (hosts = 1; hosts <= count; hosts++) {
    if (hosts > 1 && unshare(CLONE_NEWNET) != 0) {
      fail("unshare");
    }
    plug_in(prefix, hosts);
    int space = open("/proc/self/ns/net", O_RDONLY);
    if (space < 0) {
      fail("/proc/self/ns/net");
    }
    printf("%s %d\n", names[hosts - 1], space);
  }
  hosts = count;
  fflush(stdout);
}

/* --- Frames that wait --------------------------------------------------------------------------------------------- */

static int before(const struct frame *a, const struct frame *b) {
  return a->due != b->due ? a->due < b->due : a->number < b->number;
}

static void put(struct frame *frame) {
  if (heaped == heap_room) {
    heap_room = heap_room == 0 ? 1024 : 2 * heap_room;
    heap = realloc(heap, sizeof *heap * (size_t)heap_room);
    if (heap == NULL) {
      fail("no memory");
    }
  }
  int at = heaped++;
  for (; at > 0 && before(frame, heap[(at - 1) / 2]); at = (at - 1) / 2) {
    heap[at] = heap[(at - 1) / 2];
  }
  heap[at] = frame;
}

static struct frame *take(void) {
  struct frame *first = heap[0], *last = heap[--heaped];
  int at = 0;
  for (int child; (child = 2 * at + 1) < heaped; at = child) {
    if (child + 1 < heaped && before(heap[child + 1], heap[child])) {
      child++;
    }
    if (!before(heap[child], last)) {
      break;
    }
    heap[at] = heap[child];
  }
  heap[at] = last;
  return first;
}

/* --- The switch --------------------------------------------------------------------------------------------------- */

static void deliver(struct link *link, int to, const unsigned char *bytes, int length) {
  if (write(taps[to], bytes, (size_t)length) == length) {
    link->carried++;
  } else {
    link->lost++;
  }
}

/* When the frame leaves the link; keeps the order of its frames unless this one is to be overtaken. */
static uint64_t due(struct link *link, int length, uint64_t now) {
  uint64_t at = now;
  if (link->rate > 0) {
    at = link->free_at > at ? link->free_at : at;
    at += (uint64_t)length * 8u * 1000000u / (uint64_t)link->rate;
    link->free_at = at;
  }
  long micros = link->delay;
  if (link->jitter > 0) {
    micros += (long)(draw() % (uint64_t)(2 * link->jitter + 1)) - link->jitter;
  }
  if (now % SPIKE_EVERY_NANOS < SPIKE_LASTS_NANOS) {
    micros += link->spike;
  }
  at += micros > 0 ? (uint64_t)micros * 1000u : 0;
  if (chance(link->reorder)) {
    link->held++;
    link->held_due = at + ((uint64_t)link->delay + HELD_MICROS) * 1000u;
    return link->held_due;
  }
  if (link->held > 0) {
    link->overtaken += at < link->held_due ? link->held : 0;
    link->held = 0;
  }
  if (at < link->last_due) {
    at = link->last_due;
  }
  link->last_due = at;
  return at;
}

/* The sum of all 16-bit words, as IP and TCP have it. */
static uint32_t sum(const unsigned char *bytes, int length, uint32_t so_far) {
  for (int at = 0; at + 1 < length; at += 2) {
    so_far += (uint32_t)(bytes[at] << 8 | bytes[at + 1]);
  }
  return so_far;
}

static void put_checksum(unsigned char *at, uint32_t sum) {
  while (sum > 0xffff) {
    sum = (sum & 0xffff) + (sum >> 16);
  }
  at[0] = (unsigned char)(~sum >> 8);
  at[1] = (unsigned char)~sum;
}

/*
 * Makes a segment of TCP the reset of its connection, in its place in the stream: only there its receiver believes it
 * (RFC 5961). The sender learns of it by the answer to what it sends next. Returns the new length of the frame, or 0
 * for one that is no such segment.
 */
static int made_reset(unsigned char *bytes, int length) {
  enum { TCP = 6, TCP_HEADER = 20, SYN = 2, RST = 4, ACK = 16 };
  unsigned char *ip = bytes + HEADER;
  int ip_header = (ip[0] & 15) * 4, total = ip_header + TCP_HEADER;
  if (bytes[12] != 8 || bytes[13] != 0 || length < HEADER + total || ip[0] >> 4 != 4 || ip[9] != TCP) {
    return 0;
  }
  unsigned char *tcp = ip + ip_header;
  if ((tcp[13] & (SYN | RST)) != 0) {
    return 0;
  }
  ip[2] = (unsigned char)(total >> 8);
  ip[3] = (unsigned char)total;
  ip[10] = ip[11] = 0;
  put_checksum(ip + 10, sum(ip, ip_header, 0));
  tcp[12] = TCP_HEADER / 4 << 4;
  tcp[13] = RST | ACK;
  tcp[16] = tcp[17] = tcp[18] = tcp[19] = 0;
  put_checksum(tcp + 16, sum(tcp, TCP_HEADER, sum(ip + 12, 8, TCP + TCP_HEADER)));
  return HEADER + total;
}

static void carry(int from, int to, const unsigned char *bytes, int length, uint64_t now) {
  struct link *link = &links[from][to];
  if (chance(link->loss) || link->waiting >= MOST_WAITING) {
    link->lost++;
    return;
  }
  int damaged = chance(link->damage);
  unsigned char reset[MOST_BYTES];
  if (chance(link->reset)) {
    memcpy(reset, bytes, (size_t)length);
    int shorter = made_reset(reset, length);
    if (shorter > 0) {
      bytes = reset;
      length = shorter;
      link->resets++;
    }
  }
  uint64_t at = due(link, length, now);
  if (at <= now && !damaged && link->waiting == 0) {
    deliver(link, to, bytes, length);
    return;
  }
  struct frame *frame = malloc(sizeof *frame + (size_t)length);
  if (frame == NULL) {
    fail("no memory");
  }
  frame->due = at;
  frame->number = frames++;
  frame->link = link;
  frame->to = to;
  frame->length = length;
  memcpy(frame->bytes, bytes, (size_t)length);
  if (damaged) {
    frame->bytes[HEADER + draw() % (uint64_t)(length - HEADER)] ^= (unsigned char)(1u << draw() % 8);
    link->damaged++;
  }
  link->delayed += at > now;
  link->waiting++;
  put(frame);
}

static void pass_on(int from, const unsigned char *bytes, int length, uint64_t now) {
  int type = bytes[12] << 8 | bytes[13];
  if (length <= HEADER || (type != 0x0800 && type != 0x0806)) {
    return; /* IPv4 and ARP only: nobody has an IPv6 address */
  }
  int known = bytes[0] == 2 && bytes[1] == 'S' && bytes[2] == 'Q' ? bytes[5] : 0;
  for (int to = 1; to <= hosts; to++) {
    if (to == from || (known != 0 && to != known)) {
      continue;
    }
    carry(from, to, bytes, length, now);
    if (chance(links[from][to].twice)) {
      links[from][to].doubled++;
      carry(from, to, bytes, length, now);
    }
  }
}

static void listen_to(int from) {
  static unsigned char bytes[MOST_BYTES];
  /* Not for ever: the others are to be heard too. */
  for (int some = 0; some < 64; some++) {
    ssize_t length = read(taps[from], bytes, sizeof bytes);
    if (length <= 0) {
      if (length < 0 && errno != EAGAIN && errno != EINTR) {
        fail("read");
      }
      return;
    }
    pass_on(from, bytes, (int)length, now_nanos());
  }
}

static void release(void) {
  while (heaped > 0 && heap[0]->due <= now_nanos()) {
    struct frame *frame = take();
    frame->link->waiting--;
    deliver(frame->link, frame->to, frame->bytes, frame->length);
    free(frame);
  }
}

/* --- Commands ----------------------------------------------------------------------------------------------------- */

static void obey(const char *line) {
  int from, to;
  struct link wanted = {0};
  int fields = sscanf(line, "%d %d %ld %ld %ld %ld %ld %ld %ld %ld %ld", &from, &to, &wanted.loss,
                      &wanted.delay, &wanted.jitter, &wanted.twice, &wanted.reorder, &wanted.damage, &wanted.reset,
                      &wanted.rate, &wanted.spike);
  if ((fields != 2 && fields != 11) || from < 1 || from > hosts || to < 1 || to > hosts) {
    printf("cannot read \"%s\"\n", line);
    return;
  }
  struct link *link = &links[from][to];
  if (fields == 11) {
    link->loss = wanted.loss;
    link->delay = wanted.delay;
    link->jitter = wanted.jitter;
    link->twice = wanted.twice;
    link->reorder = wanted.reorder;
    link->damage = wanted.damage;
    link->reset = wanted.reset;
    link->rate = wanted.rate;
    link->spike = wanted.spike;
  }
  printf("%ld %ld %ld %ld %ld %ld %ld\n", link->carried, link->lost, link->delayed, link->doubled, link->overtaken,
         link->damaged, link->resets);
}

/* Ends the program with its input. */
static void read_commands(void) {
  static char text[4096];
  static size_t held;
  ssize_t length = read(0, text + held, sizeof text - held - 1);
  if (length <= 0) {
    exit(0);
  }
  held += (size_t)length;
  text[held] = 0;
  char *line = text;
  for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    *end = 0;
    obey(line);
  }
  held -= (size_t)(line - text);
  memmove(text, line, held);
  if (held == sizeof text - 1) {
    fprintf(stderr, "network: a command of %zu bytes\n", held);
    exit(1);
  }
  fflush(stdout);
}

int main(int count, char **arguments) {
  if (count < 4 || count - 3 >= MOST_HOSTS) {
    fprintf(stderr, "usage: network SEED PREFIX HOST... (at most %d hosts)\n", MOST_HOSTS - 1);
    return 2;
  }
  dice = strtoull(arguments[1], NULL, 10);
  make_hosts(arguments[2], count - 3, arguments + 3);
  struct pollfd all[MOST_HOSTS];
  all[0] = (struct pollfd){.fd = 0, .events = POLLIN};
  for (int host = 1; host <= hosts; host++) {
    all[host] = (struct pollfd){.fd = taps[host], .events = POLLIN};
  }
  for (;;) {
    struct timespec wait = {0}, *patience = NULL;
    if (heaped > 0) {
      uint64_t now = now_nanos(), left = heap[0]->due > now ? heap[0]->due - now : 0;
      wait = (struct timespec){.tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u)};
      patience = &wait;
    }
    if (ppoll(all, (nfds_t)hosts + 1, patience, NULL) < 0 && errno != EINTR) {
      fail("poll");
    }
    for (int host = 1; host <= hosts; host++) {
      if (all[host].revents != 0) {
        listen_to(host);
      }
    }
    release();
    if (all[0].revents != 0) {
      read_commands();
    }
  }
}
