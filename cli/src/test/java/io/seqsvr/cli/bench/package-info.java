/** Tests of what measures. */
@NullMarked
package io.seqsvr.cli.bench;

import org.jspecify.annotations.NullMarked;
