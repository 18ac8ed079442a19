/** Code that breaks the rules of {@link io.seqsvr.cli.Arrows}, so that each is seen to fail. */
@NullMarked
package io.seqsvr.cli.broken;

import org.jspecify.annotations.NullMarked;
