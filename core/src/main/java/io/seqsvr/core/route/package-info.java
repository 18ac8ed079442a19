/** Who owns which segments, as one immutable table. */
@NullMarked
package io.seqsvr.core.route;

import org.jspecify.annotations.NullMarked;
