#!/usr/bin/env bash
# How many sequences a second one AllocSvr gives, client and servers on this machine: every mode of `./seqsvr bench
# alloc` and Next from h2load, straight to the owner and through a router. Build first; the build is not measured.
# Arguments: seconds of a window (default 8), windows (default 5), warm-up in seconds (default 20), which ways
# (default "direct router").
set -euo pipefail

seconds=${1:-8}
windows=${2:-5}
warmup=${3:-20}
ways=${4:-direct router}
# shellcheck source=bench/cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
need h2load nghttp2-client

field() { grep -oE "\"$2\" ?: ?[0-9.]+" "$1" | tail -1 | grep -oE '[0-9.]+$'; }

# One line of the table: the medians over the windows.
bench() {
  local way=$1 mode=$2 endpoint=$alloc
  shift 2
  [ "$way" = direct ] || { endpoint=$router; set -- "$@" --via-router; }
  "$root/seqsvr" bench alloc --endpoint "$endpoint" --mode "$mode" --users 1000000 --seconds "$seconds" \
    --windows "$windows" --warm-up "$warmup" "$@" -o json >"$work/$way-$mode.json" 2>"$work/progress"
  printf '%-8s %-14s %12s %10s %10s %10s %8s\n' "$way" "$mode" \
    "$(field "$work/$way-$mode.json" sequences_per_s)" "$(field "$work/$way-$mode.json" p50_us)" \
    "$(field "$work/$way-$mode.json" p99_us)" "$(field "$work/$way-$mode.json" p999_us)" \
    "$(field "$work/$way-$mode.json" errors)"
}

# Requests that the node has answered with OK, by its own meter.
answered() { curl -fsS "http://$1/metrics" | sed -n 's/^seqsvr_requests_seconds_count{code="OK",.*verb="next"} //p'; }

# Next with one body, 256 in flight on one connection. What counts is what the node says it has answered.
unary() {
  local way=$1 endpoint=$alloc before after figures=() window
  [ "$way" = direct ] || endpoint=$router
  h2load -c1 -m256 -t1 -D "$warmup" -d "$work/next" -H 'content-type: application/grpc' -H 'te: trailers' \
    "http://$endpoint/seqsvr.v1.Sequences/Next" >"$work/h2load" 2>&1
  for ((window = 0; window < windows; window++)); do
    before=$(answered "$endpoint")
    h2load -c1 -m256 -t1 -D "$seconds" -d "$work/next" -H 'content-type: application/grpc' -H 'te: trailers' \
      "http://$endpoint/seqsvr.v1.Sequences/Next" >"$work/h2load" 2>&1
    after=$(answered "$endpoint")
    figures+=("$(awk -v a="$after" -v b="$before" -v s="$seconds" 'BEGIN { printf "%d", (a - b) / s }')")
  done
  printf '%-8s %-14s %12s   %s\n' "$way" 'h2load, 256' \
    "$(printf '%s\n' "${figures[@]}" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')" \
    "$(grep 'time for request' "$work/h2load")"
}

start_cluster
# A message of gRPC: not compressed, 14 bytes: namespace "default", uid 471, count 1.
printf '\0\0\0\0\16\12\7default\20\327\3\30\1' >"$work/next"

printf '%-8s %-14s %12s %10s %10s %10s %8s\n' way mode sequences/s p50_us p99_us p999_us errors
for way in $ways; do
  bench "$way" frames
  bench "$way" stream
  bench "$way" client
  unary "$way"
done
