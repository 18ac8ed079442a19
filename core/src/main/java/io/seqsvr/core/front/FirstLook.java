package io.seqsvr.core.front;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Finds out about calls that leave for the first time what stays true of them: whose they are, and what was known. */
final class FirstLook<T> {
    private final RouteBook book;
    private final Verifier verifier;
    private final List<OpenCall<T>> found = new ArrayList<>();

    FirstLook(RouteBook book, Verifier verifier) {
        this.book = book;
        this.verifier = verifier;
    }

    /** Looks at those of these calls whose segment was not found before. */
    void at(Deque<OpenCall<T>> calls) {
        for (var call : calls) {
            if (call.route() == null) {
                find(call);
            }
        }
        verifier.fetch();
        for (var call : found) {
            call.saw(verifier.seen(call.namespaceId(), call.call().uid()));
        }
        found.clear();
    }

    private void find(OpenCall<T> call) {
        var route = book.routeOf(call.call().namespaceName(), call.call().uid());
        if (route != null) {
            call.found(route);
            found.add(call);
            verifier.expect(call.namespaceId(), call.call().uid());
        }
    }
}
