#!/usr/bin/env bash
# seqsvr beside Redis on the same machine in one run: INCR of redis-benchmark over 1,000,000 keys, with its log synced
# always and every second, one command or 100 on the way per connection; then the same number of sequences from one
# AllocSvr, durable in any case. Installs redis-server by its Debian package if it is missing. Build first.
# Arguments: commands of one unpipelined run (default 300000; pipelined runs make ten times as many).
set -euo pipefail

commands=${1:-300000}
# shellcheck source=bench/cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
need redis-server redis-server
need redis-benchmark redis-tools

rows=()
row() { rows+=("$1|$2"); printf '%-62s %14s\n' "$1" "$2"; }

# INCR in commands per second with that policy of its append-only file.
redis() {
  local fsync=$1 port
  port=$(free_port)
  mkdir "$work/redis-$fsync"
  redis-server --port "$port" --bind 127.0.0.1 --dir "$work/redis-$fsync" --save '' --appendonly yes \
    --appendfsync "$fsync" >"$work/redis-$fsync.log" &
  pids+=("$!")
  until redis-cli -p "$port" ping >/dev/null 2>&1; do sleep 0.05; done
  local pipeline
  for pipeline in 1 100; do
    local total=$commands
    [ "$pipeline" = 1 ] || total=$((commands * 10))
    row "redis INCR, appendfsync $fsync, 50 connections, pipeline $pipeline" "$(
      redis-benchmark -p "$port" -c 50 -P "$pipeline" -n "$total" -r 1000000 --csv INCR __rand_int__ |
        tail -1 | awk -F, '{ gsub(/"/, "", $2); printf "%d", $2 }'
    )"
  done
  redis-cli -p "$port" shutdown nosave >/dev/null 2>&1 || true
}

ours() {
  local mode=$1 what=$2
  "$root/seqsvr" bench alloc --endpoint "$alloc" --mode "$mode" --users 1000000 --seconds 8 --windows 3 \
    --warm-up 15 -o json >"$work/$mode.json" 2>"$work/progress"
  row "seqsvr, $what" "$(field "$work/$mode.json" sequences_per_s)"
}

redis always
redis everysec
start_cluster
ours client 'next of the Java client, 2 threads with 1,000 calls each'
ours stream 'Allocate, one call a message'
ours frames 'Allocate, 1,000 calls a message'

echo
echo 'as many times the sequences of Redis with appendfsync always, unpipelined:'
base=${rows[0]##*|}
for each in "${rows[@]}"; do
  printf '%-62s %13.1fx\n' "${each%|*}" "$(awk -v a="${each##*|}" -v b="$base" 'BEGIN { print a / b }')"
done
