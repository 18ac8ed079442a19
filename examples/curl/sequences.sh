#!/usr/bin/env bash
# Takes sequences for one user over JSON and checks that each is above the one before. Needs bash and curl.
#
#   sequences.sh [BASE_URL [UID [NAMESPACE [HOW_MANY]]]]
set -euo pipefail

base=${1:-http://127.0.0.1:7700}
uid=${2:-42}
namespace=${3:-default}
count=${4:-20}
user=${base%/}/v1/namespaces/$namespace/users/$uid

fail() {
  echo "sequences.sh: $*" >&2
  exit 1
}

# Prints the body of the reply. The body of an error tells more than its HTTP status:
# {"code":5,"message":"...","details":[{"reason":"NAMESPACE_UNKNOWN",...}]}
call() {
  local body
  body=$(curl -sS --fail-with-body "$@") || fail "${body:-no reply}"
  echo "$body"
}

# Prints one field of a flat JSON object. 64-bit numbers come as JSON strings, for a JSON number is a double to many
# readers, jq among them, and exact up to 2^53 only.
field() {
  if command -v jq >/dev/null; then
    jq -r --arg name "$2" '.[$name]' <<<"$1"
  else
    tr -d '\n' <<<"$1" | sed -n "s/.*\"$2\" *: *\"\([^\"]*\)\".*/\1/p"
  fi
}

# Whether $1 > $2. As text, for the shell's own numbers end at 2^63 - 1; sequences have no leading zeros.
above() {
  ((${#1} > ${#2})) || { ((${#1} == ${#2})) && [[ $1 > $2 ]]; }
}

last=0
for ((i = 0; i < count; i++)); do
  # A body such as {"count":"10"} would take ten neighbouring ones, "first" to "last".
  reply=$(call -X POST "$user:next")
  first=$(field "$reply" first)
  [[ $first =~ ^[0-9]+$ ]] || fail "no sequence in the reply: $reply"
  above "$first" "$last" || fail "user $uid got $first after $last"
  last=$(field "$reply" last)
done
echo "$count sequences for user $uid: strictly increasing up to $last"

reply=$(call "$user")
echo "last sequence of user $uid: $(field "$reply" seq) ($(field "$reply" exactness))"
