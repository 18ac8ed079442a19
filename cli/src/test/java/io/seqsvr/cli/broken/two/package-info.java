/** The other half of a cycle. */
@NullMarked
package io.seqsvr.cli.broken.two;

import org.jspecify.annotations.NullMarked;
