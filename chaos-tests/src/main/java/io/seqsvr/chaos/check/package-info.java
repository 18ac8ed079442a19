/** The exact checker: whether what callers saw of their sequences keeps the guarantee. */
@NullMarked
package io.seqsvr.chaos.check;

import org.jspecify.annotations.NullMarked;
