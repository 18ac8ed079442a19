package io.seqsvr.cli;

import io.seqsvr.core.store.ClusterChange;
import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.core.store.StoreReply;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Shows and changes the settings of the cluster. */
@Command(
        name = "settings",
        description = {
            "Prints the settings of the cluster; changes those that are given, all of them or none.",
            "ttl and drift are for sessions that are opened from then on, segment size and step for namespaces that are"
                    + " made from then on."
        })
final class SettingsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description =
                    "How long an AllocSvr may answer after a renewal: 500ms to 1m, with several StoreSvr peers above"
                            + " 600ms.")
    private @Nullable Duration ttl;

    @Option(
            names = "--drift",
            paramLabel = "D",
            converter = DriftConverter.class,
            description = "By how much one clock may run faster than another: 0.001 to 1.")
    private @Nullable Integer driftPermille;

    @Option(names = "--segment-size", paramLabel = "N", description = "Users per segment of new namespaces.")
    private @Nullable Integer segmentSize;

    @Option(
            names = "--step",
            paramLabel = "N",
            description = "By how much max_seq is raised at a time in new namespaces.")
    private @Nullable Long step;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    /** Reads a drift into thousandths. */
    static final class DriftConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                return new BigDecimal(text).movePointRight(3).intValueExact();
            } catch (ArithmeticException | NumberFormatException wrong) {
                throw new TypeConversionException(
                        "'" + text + "' is no drift such as 0.1, with three decimals at most, from 0.001 to 1");
            }
        }
    }

    @Override
    public Integer call() throws StoreFailure {
        boolean changes = ttl != null || driftPermille != null || segmentSize != null || step != null;
        var report = changes ? change() : show();
        output.print(spec.commandLine().getOut(), report::text, report::json);
        return ExitCode.OK;
    }

    private ClusterReport show() throws StoreFailure {
        var status = store.status();
        return ClusterReport.of(status)
                .orElseThrow(() -> StoreFailure.unavailable("peer " + status.id() + " does not know its cluster yet"));
    }

    private ClusterReport change() throws StoreFailure {
        var change = new ClusterChange(
                ttl == null ? OptionalLong.empty() : OptionalLong.of(ttl.toNanos()),
                driftPermille == null ? OptionalInt.empty() : OptionalInt.of(driftPermille),
                segmentSize == null ? OptionalInt.empty() : OptionalInt.of(segmentSize),
                step == null ? OptionalLong.empty() : OptionalLong.of(step));
        var reply = store.execute(new StoreCommand.AlterCluster(change), "store settings");
        if (reply instanceof StoreReply.ClusterRefused refused) {
            throw StoreFailure.refused(refused.reason());
        }
        if (reply instanceof StoreReply.ClusterAltered altered) {
            return new ClusterReport(altered.lease(), altered.defaults());
        }
        throw new IllegalStateException("AlterCluster was answered " + reply);
    }
}
