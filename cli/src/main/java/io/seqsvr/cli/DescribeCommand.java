package io.seqsvr.cli;

import io.seqsvr.client.CurrentSequence;
import io.seqsvr.client.SequenceClient;
import io.seqsvr.client.SequenceException;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.proto.rpc.HostPort;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Tells all that is known of one user. */
@Command(
        name = "describe",
        description = {
            "Prints the segment of a user, who owns it in which epoch, the user's last sequence and how well it is"
                    + " known, and the segment's durable bound. Takes nothing.",
            "Ends with 3 if the segment has no owner, or the owner does not answer."
        })
final class DescribeCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private UserOptions user = new UserOptions();

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws StoreFailure {
        var view = store.view();
        var namespace = view.namespace(user.namespace())
                .orElseThrow(() -> StoreFailure.refused("there is no namespace '" + user.namespace()
                        + "'; 'seqsvr namespace list' names those that there are"));
        if (!namespace.holds(user.uid())) {
            throw StoreFailure.refused("user " + Long.toUnsignedString(user.uid()) + " is none of namespace '"
                    + namespace.name() + "', whose users are 0 to " + (namespace.capacity() - 1));
        }
        var segment = new SegmentId(namespace.id(), namespace.segmentOf(user.uid()));
        var facts = store.segment(segment);
        var owner = Nodes.owner(view, segment);
        var report = new UserReport(user.uid(), namespace, segment, facts, owner);
        var whole = owner.map(member -> Nodes.address(member)
                        .map(address -> current(address, report))
                        .orElse(report.withoutAnswer("nobody can be called at '" + member.address() + "'")))
                .orElse(report.withoutAnswer("nobody owns the segment"));
        output.print(spec.commandLine().getOut(), whole::text, whole::json);
        return whole.exitCode();
    }

    /** As the owner tells it, whoever that is by now. */
    private UserReport current(HostPort owner, UserReport report) {
        try (var client = SequenceClient.of(owner.host(), owner.port(), store.timeout())) {
            CurrentSequence current = SequenceClient.join(client.current(user.namespace(), user.uid()));
            return report.withAnswer(current);
        } catch (SequenceException silent) {
            return report.withoutAnswer(Optional.ofNullable(silent.getMessage()).orElse("no reason given"));
        }
    }
}
