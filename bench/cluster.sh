# Sourced by the scripts beside it: one StoreSvr, one AllocSvr and one router as processes of their own on loopback, with
# fsync on and shipped settings. Sets `work` (a temporary directory), `store`, `alloc` and `router` (HOST:PORT); all that
# is gone when the script ends. SEQSVR_BENCH_DIR says where the directory is made, by default where temporary files are.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${SEQSVR_BENCH_DIR:-${TMPDIR:-/tmp}}/seqsvr-bench.XXXXXX")
pids=()
export SEQSVR_NO_BUILD=1

end_all() {
  local pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap end_all EXIT

# Prints a port of loopback on which nobody listens now.
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 10000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# Starts a node; its output goes to a file by its name.
start_node() {
  local name=$1
  shift
  "$root/seqsvr" "$@" >"$work/$name.log" 2>&1 &
  pids+=("$!")
}

# Waits until a user of that server is answered.
await_served() {
  local deadline=$((SECONDS + 60))
  until curl -fsS -o /dev/null -X POST "http://$1/v1/namespaces/default/users/1:next" 2>/dev/null; do
    if ((SECONDS > deadline)); then
      echo "$1 answers nobody; the end of the logs:" >&2
      tail -n 3 "$work"/*.log >&2
      exit 1
    fi
    sleep 0.1
  done
}

start_cluster() {
  store=127.0.0.1:$(free_port)
  alloc=127.0.0.1:$(free_port)
  router=127.0.0.1:$(free_port)
  cat >"$work/store.yaml" <<YAML
data: $work/store
peer: n1
listen: $store
raft: 127.0.0.1:$(free_port)
YAML
  printf 'name: a1\nlisten: %s\nstore:\n  - %s\n' "$alloc" "$store" >"$work/alloc.yaml"
  printf 'listen: %s\nstore:\n  - %s\n' "$router" "$store" >"$work/router.yaml"
  "$root/seqsvr" store bootstrap --config "$work/store.yaml" >"$work/bootstrap.log" 2>&1
  start_node store storesvr --config "$work/store.yaml"
  start_node alloc allocsvr --config "$work/alloc.yaml"
  start_node router router --config "$work/router.yaml"
  await_served "$router"
}

# Installs a Debian package if its command is missing.
need() {
  local command=$1 package=$2
  if ! command -v "$command" >/dev/null; then
    echo "$command is missing: installing $package" >&2
    apt-get install -y -q "$package" >&2 || {
      echo "$command is not there and $package could not be installed; install it and call again" >&2
      exit 1
    }
  fi
}

# The first number of that name in the json of a bench: the median of all windows; those of single ones come after it.
field() { grep -oE "\"$2\" ?: ?[0-9.]+" "$1" | head -1 | grep -oE '[0-9.]+$'; }

# The sum of a meter of a node, all of its series whose labels hold a word.
meter() {
  curl -fsS "http://$1/metrics" |
    awk -v name="$2" -v word="$3" 'index($1, name) == 1 && (word == "" || index($1, word)) { sum += $2 } END { printf "%.0f", sum }'
}

# Requests that a node has answered so far with that code of gRPC, or with any, by its own meter.
answered() { meter "$1" seqsvr_requests_seconds_count "${2:+code=\"$2\"}"; }

# Median of numbers, one a line.
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# A message of gRPC for h2load: not compressed, 14 bytes: namespace "default", uid 471, count 1.
write_next() { printf '\0\0\0\0\16\12\7default\20\327\3\30\1' >"$1"; }

# Calls Next for some seconds by h2load, 256 in flight on one connection; what it says goes to a file.
# Arguments: HOST:PORT, seconds, file, then further options.
h2load_next() {
  local endpoint=$1 seconds=$2 said=$3
  shift 3
  h2load -c1 -m256 -t1 -D "$seconds" -d "$work/next" -H 'content-type: application/grpc' -H 'te: trailers' "$@" \
    "http://$endpoint/seqsvr.v1.Sequences/Next" >"$said" 2>&1
}
