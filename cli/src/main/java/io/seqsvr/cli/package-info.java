/** The one program people run: each tier, all of them in one process, and the commands that call a server. */
@NullMarked
package io.seqsvr.cli;

import org.jspecify.annotations.NullMarked;
