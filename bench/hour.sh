#!/usr/bin/env bash
# Full load for an hour, straight to one AllocSvr with shipped settings: frames, then the Java client, then unary calls,
# the same minutes each. A row for each minute: what was given, what memory AllocSvr and StoreSvr hold, in MiB, and what of
# it are counters. Ends with 1 if a call failed or a number came twice or stepped back. Build first.
# Arguments: minutes of each of the three (default 20), warm-up in seconds (default 20).
set -euo pipefail

minutes=${1:-20}
warmup=${2:-20}
# shellcheck source=bench/cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"

# Resident memory of a node in MiB, by its place among those that were started.
resident() { awk '/^VmRSS/ { printf "%d", $2 / 1024 }' "/proc/${pids[$1]}/status"; }

start_cluster
row() { printf '%-8s %8s %14s %12s %12s %12s\n' "$@"; }
row load minute sequences/s alloc_rss counters store_rss
bad=0
for mode in frames client unary; do
  "$root/seqsvr" bench alloc --endpoint "$alloc" --mode "$mode" --users 1000000 --seconds 60 --windows "$minutes" \
    --warm-up "$warmup" -o json >"$work/$mode.json" 2>"$work/progress" &
  bench=$!
  pids+=("$bench")
  sleep "$warmup"
  for ((minute = 1; minute <= minutes; minute++)); do
    before=$(meter "$alloc" seqsvr_sequences_total '')
    sleep 60
    after=$(meter "$alloc" seqsvr_sequences_total '')
    row "$mode" "$minute" $(((after - before) / 60)) "$(resident 1)" \
      $(($(meter "$alloc" seqsvr_counters_memory_bytes '') >> 20)) "$(resident 0)"
  done
  wait "$bench" || bad=1
  for what in errors backward duplicates; do
    [ "$(field "$work/$mode.json" "$what")" = 0 ] || bad=1
  done
  printf '%s: %s sequences/s, 99.9 %% %s us, %s errors, %s backward, %s duplicates\n' "$mode" \
    "$(field "$work/$mode.json" sequences_per_s)" "$(field "$work/$mode.json" p999_us)" \
    "$(field "$work/$mode.json" errors)" "$(field "$work/$mode.json" backward)" \
    "$(field "$work/$mode.json" duplicates)"
done
exit "$bad"
