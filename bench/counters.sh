#!/usr/bin/env bash
# What a user takes of the memory of an AllocSvr: builds, and runs CounterMemory.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -ntp -q -pl bench -am -Dquick -Dmaven.test.skip=true \
    package dependency:build-classpath -Dmdep.outputFile=target/classpath
exec java -Xmx1g -XX:+UseSerialGC -cp "bench/target/classes:$(cat bench/target/classpath)" \
    io.seqsvr.bench.CounterMemory
