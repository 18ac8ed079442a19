package io.seqsvr.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;

/** How much memory the peers have in RAM that hold all segments and have nothing to do but renewals. */
final class Memory {
    private static final double MEBIBYTE = 1 << 20;

    private Memory() {}

    static void run(BenchRun run, Figures figures) throws MeasuringFailed {
        run.assignAll();
        run.tell("waiting for %d s with nothing to do", run.plan().seconds());
        run.line().pause(Duration.ofSeconds(run.plan().seconds()));
        var mebibytes = new ArrayList<Double>();
        for (var node : run.peers().nodes()) {
            node.residentBytes().ifPresent(bytes -> mebibytes.add(bytes / MEBIBYTE));
        }
        if (mebibytes.isEmpty()) {
            figures.putUnknown("rss_max_mib", "memory in RAM, largest peer, MiB");
        } else {
            figures.put("rss_max_mib", "memory in RAM, largest peer, MiB", Collections.max(mebibytes));
            figures.put("rss_mib", "memory in RAM, each peer, MiB", mebibytes);
        }
    }
}
