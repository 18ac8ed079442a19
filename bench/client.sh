#!/usr/bin/env bash
# What a call of the Java client's `next` costs the caller, in CPU time: two application threads with 1,000 open calls
# each against a fake owner in the same process, over a real socket. CPU time means the same on a busy machine.
# Arguments: windows, seconds of each, frames in flight, users remembered. JAVA_OPTS is passed on.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -ntp -q -pl client -am -Dquick -DskipTests \
    package dependency:build-classpath -Dmdep.outputFile=target/classpath -Dmdep.includeScope=test
# shellcheck disable=SC2086
exec java -Xmx1g ${JAVA_OPTS:-} -cp "client/target/classes:client/target/test-classes:$(cat client/target/classpath)" \
    io.seqsvr.client.ClientBench "$@"
