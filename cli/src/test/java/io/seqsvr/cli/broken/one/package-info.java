/** Half of a cycle. */
@NullMarked
package io.seqsvr.cli.broken.one;

import org.jspecify.annotations.NullMarked;
