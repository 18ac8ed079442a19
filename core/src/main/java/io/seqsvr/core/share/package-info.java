/** Who gets which segments, so that all have about as much, whichever part of a namespace is in use. */
@NullMarked
package io.seqsvr.core.share;

import org.jspecify.annotations.NullMarked;
