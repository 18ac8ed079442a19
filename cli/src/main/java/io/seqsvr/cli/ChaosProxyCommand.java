package io.seqsvr.cli;

import io.seqsvr.chaos.proxy.CallerNames;
import io.seqsvr.chaos.proxy.FaultProxy;
import io.seqsvr.chaos.proxy.Refusal;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The proxies of the chaos runs alone, for testers who have their own way to ask. */
@Command(
        name = "proxy",
        description = {
            "Serves TCP proxies that break connections, until it is interrupted. They are made and changed by the HTTP"
                    + " API of Toxiproxy, so that its clients and its command line do.",
            "Beyond that API: toxics of type blackhole, which hold back all that comes, and GET /proxies/NAME/counts."
                    + " Everything listens on loopback."
        })
final class ChaosProxyCommand implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8474",
            description = "Where the API listens; 0 takes a free port (default: ${DEFAULT-VALUE}, as Toxiproxy).")
    private int port = 8474;

    @Option(names = "--seed", paramLabel = "S", description = "Draws jitter and toxicity (default: drawn).")
    private long seed = new SplittableRandom().nextLong(1_000_000_000);

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > MOST_PORT) {
            throw new ParameterException(
                    spec.commandLine(), "--port is " + port + "; it must be from 0 to " + MOST_PORT);
        }
        var proxy = new FaultProxy(CallerNames.none(), new SplittableRandom(seed));
        try {
            spec.commandLine().getOut().println("the API listens on " + proxy.serve(port));
        } catch (Refusal refused) {
            proxy.close();
            spec.commandLine().getErr().println("seqsvr: " + refused.getMessage());
            return ExitCode.FAILED;
        }
        spec.commandLine().getOut().flush();
        Runtime.getRuntime().addShutdownHook(new Thread(proxy::close, "close-proxies"));
        NodeProcess.awaitSignal();
        return ExitCode.OK;
    }
}
