#!/usr/bin/env bash
# What a call of a frame costs, in CPU time of one thread: builds, and runs FrameCost. Arguments: those of the JVM.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -ntp -q -pl bench -am -Dquick -Dmaven.test.skip=true \
    package dependency:build-classpath -Dmdep.outputFile=target/classpath
exec java -Xmx1g "$@" -cp "bench/target/classes:$(cat bench/target/classpath)" io.seqsvr.bench.FrameCost
