/** Calls of a frame as columns: what travels, and what the rules read without an object per call. */
@NullMarked
package io.seqsvr.core.frame;

import org.jspecify.annotations.NullMarked;
