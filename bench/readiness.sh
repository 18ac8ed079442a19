#!/usr/bin/env bash
# How long `./seqsvr dev` takes from its start to the first answered Next of the last user, whose segment is assigned
# last: on a fresh directory, and on the same one after kill -9. Build first; the build is not measured.
# Arguments: rounds (default 5), port (default 7790).
set -euo pipefail

rounds=${1:-5}
port=${2:-7790}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT

millis() { echo $(($(date +%s%N) / 1000000)); }

# Starts dev and prints the milliseconds to the first answered Next; sets `pid`.
start() {
  local before answered
  before=$(millis)
  SEQSVR_NO_BUILD=1 "$root/seqsvr" dev --data "$1" --port "$port" >"$work/out" 2>"$work/err" &
  pid=$!
  # Refused connections and 503 are tried again at once; each try costs some milliseconds.
  until curl -fsS -o /dev/null -X POST "http://127.0.0.1:$port/v1/namespaces/default/users/4294967295:next" 2>/dev/null; do
    kill -0 "$pid" 2>/dev/null || { echo "dev ended: $(tail -1 "$work/err")" >&2; exit 1; }
    sleep 0.02
  done
  answered=$(millis)
  took=$((answered - before))
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

: >"$work/fresh"
: >"$work/killed"
for ((round = 1; round <= rounds; round++)); do
  data=$work/data$round
  start "$data"
  echo "$took" >>"$work/fresh"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || true
  start "$data"
  echo "$took" >>"$work/killed"
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || true
  rm -rf "$data"
done
pid=
echo "fresh directory:  $(tr '\n' ' ' <"$work/fresh")ms, median $(median <"$work/fresh") ms"
echo "after kill -9:    $(tr '\n' ' ' <"$work/killed")ms, median $(median <"$work/killed") ms"
