package io.seqsvr.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** How much processor time one process gets, by a control group of its own. */
public final class CpuQuota implements Limit {
    private static final String CONTROLLER = "cpu";
    private static final String QUOTA = "cpu.cfs_quota_us";
    private static final long PERIOD_MICROS = 100_000;
    private static final int PERCENT = 100;
    /** The kernel takes no less. */
    private static final long LEAST_MICROS = 1_000;

    private final ControlGroup group;
    private long micros;
    private final Throttling throttling = new Throttling();

    private CpuQuota(ControlGroup group, long micros) {
        this.group = group;
        this.micros = micros;
    }

    /** Why there can be no such limits on this machine, if so. */
    public static Optional<String> missing() {
        return ControlGroup.missing(CONTROLLER);
    }

    /**
     * From now on a process gets no more; {@link #isFelt} lowers that.
     *
     * @param percent of one processor, from 1 to 100
     */
    public static CpuQuota limit(long pid, int percent) {
        if (percent < 1 || percent > PERCENT) {
            throw new IllegalArgumentException("percent is " + percent + "; it must be from 1 to 100");
        }
        long micros = PERIOD_MICROS * percent / PERCENT;
        try {
            var group = ControlGroup.of(CONTROLLER, pid)
                    .set("cpu.cfs_period_us", PERIOD_MICROS)
                    .set(QUOTA, micros);
            group.enter();
            return new CpuQuota(group, micros);
        } catch (IOException failed) {
            throw new UncheckedIOException("process " + pid + " cannot be limited", failed);
        }
    }

    /**
     * It has stood still in a share of the last periods, as its time was used up. Whoever gets on with what there is
     * gets half of it from then on.
     */
    @Override
    public boolean isFelt() {
        boolean eased = throttling.see(count("nr_periods"), count("nr_throttled"));
        if (eased && micros > LEAST_MICROS) {
            micros = Math.max(LEAST_MICROS, micros / 2);
            lower();
        }
        return throttling.isFelt();
    }

    @Override
    public boolean wasFelt() {
        return throttling.wasFelt();
    }

    private long count(String what) {
        return group.count("cpu.stat", what);
    }

    private void lower() {
        try {
            group.set(QUOTA, micros);
        } catch (IOException failed) {
            throw new UncheckedIOException("the limit of " + micros + " us in a period cannot be set", failed);
        }
    }

    @Override
    public void close() {
        group.close();
    }
}
