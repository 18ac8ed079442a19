/** The counters of one loaded segment. */
@NullMarked
package io.seqsvr.core.segment;

import org.jspecify.annotations.NullMarked;
