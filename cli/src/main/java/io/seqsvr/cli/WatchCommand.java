package io.seqsvr.cli;

import io.seqsvr.core.picture.RoutePicture;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Follows who owns what. */
@Command(
        name = "watch",
        description = {
            "Prints who owns which segments, and then each change, a line each, until it is interrupted.",
            "A server that is lost is asked again; a line on stderr says so."
        })
final class WatchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private EndpointOptions endpoint = new EndpointOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException {
        var out = spec.commandLine().getOut();
        var err = spec.commandLine().getErr();
        try (var line = endpoint.routes()) {
            var before = RoutePicture.empty("");
            while (!out.checkError()) {
                var event = line.next();
                if (event instanceof RoutesLine.Seen seen) {
                    var news = new RoutesNews(before, seen.picture());
                    (output.isJson() ? news.json() : news.lines()).forEach(out::println);
                    before = seen.picture();
                } else if (event instanceof RoutesLine.Lost lost) {
                    err.println("seqsvr: left " + lost.server() + ": " + lost.why());
                    err.flush();
                }
                out.flush();
            }
            return ExitCode.OK;
        }
    }
}
