package io.seqsvr.core.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.seqsvr.core.FakeStore;
import io.seqsvr.core.lease.LeaseTerms;
import io.seqsvr.core.namespace.Namespace;
import io.seqsvr.core.namespace.SegmentId;
import io.seqsvr.core.store.StoreCommand.Move;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A caller that has seen a newer owner never goes back to an older one, whatever pictures and answers come late. */
class RouteBookTest {
    private static final Namespace MESSAGES = new Namespace(1, "messages", 100, 10, 100, 1_000, Long.MAX_VALUE);
    private static final SegmentId FIRST = new SegmentId(1, 0);

    private final FakeStore store = new FakeStore(new LeaseTerms(3_000_000_000L, 100), MESSAGES);
    private final RouteBook book = new RouteBook();

    private Routing.Owner ownerOf(long uid) {
        return assertInstanceOf(Routing.Owner.class, book.find("messages", uid));
    }

    private void assign(String name) {
        store.publish(new Move(1, 0, 9, store.open(name)));
    }

    @Test
    void whoKnowsNothingAsksNobody() {
        assertInstanceOf(Routing.Nobody.class, book.find("messages", 1));
        assertTrue(book.outdated());
        assertEquals(Optional.empty(), book.picture());
    }

    @Test
    void aPictureThatComesLateIsNotTakenIn() {
        assign("alloc-1");
        var old = store.view();
        store.expire(store.view().sessions().get(0).id());
        assign("alloc-2");
        assertTrue(book.learn(store.view()));
        assertFalse(book.learn(old));
        assertEquals(new Routing.Owner("alloc-2:7401", FIRST, 2), ownerOf(3));
        assertTrue(book.learn(store.view()), "the same picture again does no harm");
    }

    @Test
    void aPictureThatHasNobodyToAskIsFetchedAnew() {
        assign("alloc-1");
        store.expire(store.view().sessions().get(0).id());
        book.learn(store.view());
        assertInstanceOf(Routing.Nobody.class, book.find("messages", 1));
        assertFalse(book.outdated(), "once may be a moment between two owners");
        assertInstanceOf(Routing.Nobody.class, book.find("messages", 11));
        assertTrue(book.outdated());
        book.learn(store.view());
        assertFalse(book.outdated());
        assertInstanceOf(Routing.Nobody.class, book.find("nobody", 1));
        assertInstanceOf(Routing.Nobody.class, book.find("nobody", 1));
        assertFalse(book.outdated(), "no picture will show a namespace that does not exist");
        assertTrue(book.doubtful(), "but another server may know one that does");
        book.learn(store.view());
        assertFalse(book.doubtful());
    }

    @Test
    void anAnswerOfAnOlderEpochThanOneThatAnsweredBeforeItWasAskedForIsNotBelieved() {
        assign("alloc-1");
        book.learn(store.view());
        assertTrue(answered(0, 1));
        assertTrue(answered(0, 3), "an allocator may know more than the picture");
        assertFalse(answered(0, 2));
        assertEquals(1, book.disbelieved());
        assertTrue(answered(0, 3));
        assertTrue(answered(1, 1), "each segment has epochs of its own");
    }

    @Test
    void thePictureThatItHasTakesNothingBackOfWhatAnswersShowed() {
        assign("alloc-1");
        var picture = store.view();
        book.learn(picture);
        assertTrue(answered(0, 3));
        book.refused(FIRST);
        book.refused(FIRST);
        assertTrue(book.outdated());
        assertTrue(book.learn(picture));
        assertFalse(book.outdated(), "refusals from before it was shown again say nothing");
        assertEquals(new Routing.Owner("alloc-1:7401", FIRST, 3), ownerOf(3));
    }

    @Test
    void anAnswerOfAnOlderEpochThanThePictureShowsIsNotBelieved() {
        assign("alloc-1");
        store.expire(store.view().sessions().get(0).id());
        assign("alloc-2");
        book.learn(store.view());
        assertFalse(answered(0, 1));
        assertTrue(answered(0, 2));
    }

    @Test
    void whatIsLearnedWhileAnAnswerIsOnItsWaySaysNothingAgainstIt() {
        assign("alloc-1");
        book.learn(store.view());
        long known = ownerOf(3).epoch();
        store.expire(store.view().sessions().get(0).id());
        assign("alloc-2");
        book.learn(store.view());
        assertTrue(book.believes(segment(0), 1, known), "a picture has told of the next owner meanwhile");
        assertTrue(answered(0, 2));
        assertTrue(book.believes(segment(0), 1, known), "and the next owner has answered others");
        assertEquals(2, ownerOf(3).epoch(), "what is asked for next has to be newer");
        assertFalse(answered(0, 1));
    }

    private SegmentRoute segment(int index) {
        return Objects.requireNonNull(book.segmentOf("messages", index));
    }

    /** An answer to what is asked now. */
    private boolean answered(int segment, long epoch) {
        var route = segment(segment);
        return book.believes(route, epoch, ((Routing.Owner) book.find(route)).epoch());
    }

    @Test
    void theLeastEpochThatIsAskedForIsTheNewestKnown() {
        assign("alloc-1");
        book.learn(store.view());
        assertEquals(1, ownerOf(3).epoch());
        answered(0, 5);
        assertEquals(5, ownerOf(3).epoch());
        assertEquals(1, ownerOf(13).epoch());
    }

    @Test
    void twoRefusalsInARowMakeThePictureOutdatedUntilANewOneOrAnAnswerComes() {
        assign("alloc-1");
        book.learn(store.view());
        book.refused(FIRST);
        assertFalse(book.outdated());
        book.refused(FIRST);
        assertTrue(book.outdated());
        book.learn(store.view());
        assertFalse(book.outdated());
        book.refused(FIRST);
        answered(0, 1);
        book.refused(FIRST);
        assertFalse(book.outdated());
    }

    @Test
    void anAnswerAboutAnotherSegmentDoesNotMakeUpForARefusal() {
        assign("alloc-1");
        book.learn(store.view());
        book.refused(FIRST);
        answered(1, 1);
        book.refused(FIRST);
        assertTrue(book.outdated());
        answered(0, 1);
        assertFalse(book.outdated());
    }
}
