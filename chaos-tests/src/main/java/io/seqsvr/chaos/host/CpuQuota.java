package io.seqsvr.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** How much processor time one process gets, by a control group of its own. */
public final class CpuQuota implements Limit {
    private static final String CONTROLLER = "cpu";
    private static final int PERIOD_MICROS = 100_000;
    private static final int PERCENT = 100;

    private final ControlGroup group;

    private CpuQuota(ControlGroup group) {
        this.group = group;
    }

    /** Why there can be no such limits on this machine, if so. */
    public static Optional<String> missing() {
        return ControlGroup.missing(CONTROLLER);
    }

    /**
     * From now on a process gets no more.
     *
     * @param percent of one processor, from 1 to 100
     */
    public static CpuQuota limit(long pid, int percent) {
        if (percent < 1 || percent > PERCENT) {
            throw new IllegalArgumentException("percent is " + percent + "; it must be from 1 to 100");
        }
        try {
            var group = ControlGroup.of(CONTROLLER, pid)
                    .set("cpu.cfs_period_us", PERIOD_MICROS)
                    .set("cpu.cfs_quota_us", (long) PERIOD_MICROS * percent / PERCENT);
            group.enter();
            return new CpuQuota(group);
        } catch (IOException failed) {
            throw new UncheckedIOException("process " + pid + " cannot be limited", failed);
        }
    }

    /** It has stood still as its time was used up. */
    @Override
    public boolean isFelt() {
        return group.count("cpu.stat", "nr_throttled") > 0;
    }

    @Override
    public void close() {
        group.close();
    }
}
