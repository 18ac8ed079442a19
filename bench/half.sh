#!/usr/bin/env bash
# How long calls take where one AllocSvr is half busy, client and servers on this machine: first the most that each way
# gives, then half of it at a fixed rate: with hardly any raises, with some 700 to 1,400 segments raised a second beside
# them, and once more to the segments that are raised, so that calls meet raises. Calls that leave late count from when
# they were due. Unary calls come from h2load, 256 in flight at most, all of one user, so none of them to what is raised;
# then some at a light load, to the owner and through a router. Build first.
# Arguments: seconds of a window (default 8), windows (default 3), warm-up in seconds (default 60: where several young
# processes share two cores, Java's compilers are not done after 10).
set -euo pipefail

seconds=${1:-8}
windows=${2:-3}
warmup=${3:-60}
# shellcheck source=bench/cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
need h2load nghttp2-client

# One row: what is asked of whom, at which rate.
row() { printf '%-34s %12s %9s %9s %9s %8s %12s\n' "$@"; }

raised() { meter "$store" seqsvr_store_raises_total 'result="accepted"'; }

millis() { echo $(($(date +%s%N) / 1000000)); }

# Calls of `bench alloc` for all windows; arguments: a name for the row, then options.
bench() {
  local name=$1 before after begun json=$work/bench.json
  shift
  before=$(raised)
  begun=$(millis)
  "$root/seqsvr" bench alloc --users 1000000 --seconds "$seconds" --windows "$windows" --warm-up "$warmup" "$@" \
    -o json >"$json" 2>"$work/progress" || [ $? = 1 ]
  after=$(raised)
  row "$name" "$(field "$json" sequences_per_s)" "$(field "$json" p50_us)" "$(field "$json" p99_us)" \
    "$(field "$json" p999_us)" "$(field "$json" errors)" "$(((after - before) * 1000 / ($(millis) - begun)))"
}

# Next from h2load for all windows at a rate; 0: as many as can be. Times are of each request.
unary() {
  local name=$1 rate=$2 before after good all options=()
  ((rate == 0)) || options=(--rps="$rate")
  h2load_next "$alloc" "$warmup" "$work/h2load" ${options[@]+"${options[@]}"}
  before=$(raised)
  good=$(answered "$alloc" OK)
  all=$(answered "$alloc" '')
  rm -f "$work/times"
  h2load_next "$alloc" $((seconds * windows)) "$work/h2load" --log-file="$work/times" ${options[@]+"${options[@]}"}
  after=$(raised)
  good=$(($(answered "$alloc" OK) - good))
  all=$(($(answered "$alloc" '') - all))
  most=$((good / (seconds * windows)))
  # shellcheck disable=SC2046 # three numbers
  row "$name" "$most" $(cut -f3 "$work/times" | sort -n |
    awk '{ v[NR] = $1 } END { print v[int(NR * 0.5) + 1], v[int(NR * 0.99) + 1], v[int(NR * 0.999) + 1] }') \
    $((all - good)) "$(((after - before) / (seconds * windows)))"
}

# Begins to raise segments all the time: users anywhere in 1,000 segments of 1,000, a raise for five numbers of one.
begin_raises() {
  "$root/seqsvr" bench alloc --endpoint "$alloc" --namespace storm --mode frames --batch 100 --users 2000 \
    --rate 16000 --seconds 3600 --windows 1 --warm-up 1 >"$work/storm.log" 2>&1 &
  storm=$!
  pids+=("$storm")
}

end_raises() {
  if ! kill "$storm"; then
    echo "the raises ended before what they were to disturb:" >&2
    tail "$work/storm.log" >&2
    exit 1
  fi
  wait "$storm" || true
}

start_cluster
write_next "$work/next"
"$root/seqsvr" namespace create storm --store "$store" --capacity 1000000 --segment-size 1000 --step 5 \
  --keying hashed >"$work/storm.json"

row 'straight to the owner' calls/s p50_us p99_us p999_us errors raises/s
for mode in frames stream client; do
  bench "$mode, most" --endpoint "$alloc" --mode "$mode"
  half=$(($(field "$work/bench.json" sequences_per_s) / 2))
  bench "$mode, half" --endpoint "$alloc" --mode "$mode" --rate "$half"
  begin_raises
  bench "$mode, half, raises" --endpoint "$alloc" --mode "$mode" --rate "$half"
  bench "$mode, half, of what is raised" --endpoint "$alloc" --mode "$mode" --rate "$half" --namespace storm
  end_raises
done
unary 'h2load, most' 0
half=$((most / 2))
unary 'h2load, half' "$half"
begin_raises
unary 'h2load, half, raises' "$half"
end_raises

row 'light load' calls/s p50_us p99_us p999_us errors raises/s
# In turn: what a router adds is less than what a minute changes on a machine that others use.
for _ in 1 2 3; do
  bench 'unary, to the owner' --endpoint "$alloc" --mode unary --rate 1000
  bench 'unary, through a router' --endpoint "$router" --mode unary --rate 1000 --via-router
done
