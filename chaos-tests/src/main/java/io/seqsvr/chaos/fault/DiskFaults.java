package io.seqsvr.chaos.fault;

import io.seqsvr.chaos.disk.DiskFault;
import io.seqsvr.chaos.disk.LoopDisk;
import io.seqsvr.chaos.process.LocalNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The faults that befall what a node keeps its data on. */
public final class DiskFaults {
    private static final String LOG = "/log_inprogress_";
    private static final String FILLER = "filler";

    private DiskFaults() {}

    /**
     * Its next sync fails, so that it stops itself; stopping the fault starts it again.
     *
     * @param kind whether those after it fail too
     */
    public static Fault fails(String verb, LocalNode node, DiskFault calls, DiskFault.Kind kind) {
        return new OfCalls(verb, node, calls) {
            @Override
            void strike() {
                calls.strike(kind, LOG);
            }

            @Override
            public boolean isInEffect() {
                return OwnEnd.of(node, OwnEnd.FATAL) && super.isInEffect();
            }

            @Override
            public Optional<String> breach() {
                return calls.syncsAfterFailure() > 0
                        ? Optional.of(node.name() + " tried a sync again after one had failed")
                        : Optional.empty();
            }
        };
    }

    /** Its syncs do not end until the fault is stopped; if that has ended it, it is started again. */
    public static Fault hangs(String verb, LocalNode node, DiskFault calls) {
        return new OfCalls(verb, node, calls) {
            @Override
            void strike() {
                calls.strike(DiskFault.Kind.SYNC_HANGS, LOG);
            }
        };
    }

    /** Its syncs take so much longer, which must not end it. */
    public static Fault slow(String verb, LocalNode node, DiskFault calls, int millis) {
        return new OfCalls(verb, node, calls) {
            @Override
            void strike() {
                calls.slowDown(millis, LOG);
            }

            @Override
            boolean mayEndIt() {
                return false;
            }
        };
    }

    private abstract static class OfCalls extends OfNode {
        private final DiskFault calls;
        private int struckBefore;

        private OfCalls(String verb, LocalNode node, DiskFault calls) {
            super(verb, node);
            this.calls = calls;
        }

        abstract void strike();

        /** Else whoever waits for it finds that it has ended. */
        boolean mayEndIt() {
            return true;
        }

        @Override
        public final void start() {
            struckBefore = calls.struck();
            strike();
        }

        @Override
        public boolean isInEffect() {
            return calls.struck() > struckBefore;
        }

        @Override
        public final void stop() {
            calls.heal();
            if (mayEndIt() && OwnEnd.of(node(), OwnEnd.FATAL)) {
                node().start();
            }
        }
    }

    /**
     * Its disk is full, so that it stops itself when it wants a block, for a snapshot at the latest; stopping the fault
     * makes room, and starts it.
     */
    public static Fault full(String verb, LocalNode node, LoopDisk disk) {
        return new OfNode(verb, node) {
            @Override
            public void start() {
                var unused = disk.fill(FILLER);
            }

            @Override
            public boolean isInEffect() {
                return OwnEnd.of(node, OwnEnd.FATAL) && isFull(disk.directory());
            }

            @Override
            public void stop() {
                try {
                    node.killIfAlive();
                    Files.delete(disk.directory().resolve(FILLER));
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
                node.start();
            }
        };
    }

    private static boolean isFull(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace() == 0;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Its file system finds an error in itself and takes no more writes; stopping the fault mounts it afresh. */
    public static Fault readOnly(String verb, LocalNode node, LoopDisk disk) {
        return new OfNode(verb, node) {
            @Override
            public void start() {
                disk.turnReadOnly();
            }

            @Override
            public boolean isInEffect() {
                return OwnEnd.of(node, OwnEnd.FATAL) && !disk.takesWrites();
            }

            @Override
            public void stop() {
                node.killIfAlive();
                disk.unmount();
                disk.mount();
                node.start();
            }
        };
    }

    /**
     * The power of these nodes goes at almost the same time, and with it what was not synced; stopping the fault brings
     * it back.
     *
     * @param programs gets the program that cuts it
     */
    public static Fault powerCut(
            String verb, List<LocalNode> nodes, Function<LocalNode, LoopDisk> disks, Path programs) {
        return new Fault() {
            @Override
            public String name() {
                return verb + " " + nodes.stream().map(LocalNode::name).collect(Collectors.joining(" "));
            }

            @Override
            public void start() {
                LoopDisk.cutPower(programs, nodes.stream().map(disks).toList());
                nodes.forEach(LocalNode::killIfAlive);
            }

            @Override
            public boolean isInEffect() {
                return nodes.stream()
                        .allMatch(node -> !node.isAlive() && !disks.apply(node).takesWrites());
            }

            @Override
            public void stop() {
                for (var node : nodes) {
                    disks.apply(node).unmount();
                    disks.apply(node).mount();
                    node.start();
                }
            }
        };
    }
}
