/** What the callers of a living cluster see, judged while it goes on, and which fault it comes from. */
@NullMarked
package io.seqsvr.chaos.live;

import org.jspecify.annotations.NullMarked;
