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

# One line of the table: the medians over the windows.
bench() {
  local way=$1 mode=$2 endpoint=$alloc
  shift 2
  [ "$way" = direct ] || { endpoint=$router; set -- "$@" --via-router; }
  "$root/seqsvr" bench alloc --endpoint "$endpoint" --mode "$mode" --users 1000000 --seconds "$seconds" \
    --windows "$windows" --warm-up "$warmup" "$@" -o json >"$work/$way-$mode.json" 2>"$work/progress" || [ $? = 1 ]
  printf '%-8s %-14s %12s %10s %10s %10s %8s\n' "$way" "$mode" \
    "$(field "$work/$way-$mode.json" sequences_per_s)" "$(field "$work/$way-$mode.json" p50_us)" \
    "$(field "$work/$way-$mode.json" p99_us)" "$(field "$work/$way-$mode.json" p999_us)" \
    "$(field "$work/$way-$mode.json" errors)"
}

# Next with one body, 256 in flight on one connection. What counts is what the node says it has answered.
unary() {
  local way=$1 endpoint=$alloc before after figures=() window
  [ "$way" = direct ] || endpoint=$router
  h2load_next "$endpoint" "$warmup" "$work/h2load"
  for ((window = 0; window < windows; window++)); do
    before=$(answered "$endpoint" OK)
    h2load_next "$endpoint" "$seconds" "$work/h2load"
    after=$(answered "$endpoint" OK)
    figures+=("$(((after - before) / seconds))")
  done
  printf '%-8s %-14s %12s   %s\n' "$way" 'h2load, 256' \
    "$(printf '%s\n' "${figures[@]}" | median)" \
    "$(grep 'time for request' "$work/h2load")"
}

start_cluster
write_next "$work/next"

printf '%-8s %-14s %12s %10s %10s %10s %8s\n' way mode sequences/s p50_us p99_us p999_us errors
for way in $ways; do
  bench "$way" frames
  bench "$way" stream
  bench "$way" client
  unary "$way"
done
