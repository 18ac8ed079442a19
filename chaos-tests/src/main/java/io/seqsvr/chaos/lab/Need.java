package io.seqsvr.chaos.lab;

import io.seqsvr.chaos.clock.ClockFault;
import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.disk.LoopDisk;
import io.seqsvr.chaos.host.CpuQuota;
import io.seqsvr.chaos.host.NativeCode;
import io.seqsvr.chaos.network.VirtualNetwork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** What a machine must let us do, so that a fault can be made. */
public enum Need {
    /** A network namespace for each node, and a switch between them. */
    NETWORK(VirtualNetwork::missing),
    /** Proxies before AllocSvrs and routers, which know who calls. */
    PROXIES(() -> !Files.isReadable(Path.of("/proc/net/tcp"))
            ? Optional.of("there is no /proc/net/tcp (Linux), which tells who calls")
            : Optional.empty()),
    /** Clocks of its own for each process. */
    CLOCKS(ClockFault::missing),
    /** A limit for the processor time of a process. */
    CPU_QUOTA(CpuQuota::missing),
    /** A limit for the files of a running process. */
    FILE_LIMIT(() -> NativeCode.missing("prlimit", "util-linux")),
    /** Syncs and writes of a process that go wrong. */
    DISK_CALLS(DiskFault::missing),
    /** A disk of its own for each StoreSvr peer. */
    DISKS(LoopDisk::missing);

    private final Supplier<Optional<String>> missing;

    Need(Supplier<Optional<String>> missing) {
        this.missing = missing;
    }

    /** Why this machine does not let us, if so; some of them are tried. */
    public Optional<String> missing() {
        return missing.get();
    }
}
