#!/usr/bin/env bash
# What a call of a frame costs: builds, and runs FrameBenchmark by JMH. Arguments: those of JMH, for example
# `-p users=10000 -f 1 takeAndRelease`, or `-h` for what there is.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -ntp -q -pl bench -am -Dquick -Dmaven.test.skip=true \
    package dependency:build-classpath -Dmdep.outputFile=target/classpath
exec java -cp "bench/target/classes:$(cat bench/target/classpath)" org.openjdk.jmh.Main \
    -jvmArgs "-Xmx1g -XX:+UseSerialGC" "$@"
