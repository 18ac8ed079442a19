/** What every process that registers at StoreSvr shares: its session, and the commands whose outcome is open. */
@NullMarked
package io.seqsvr.core.session;

import org.jspecify.annotations.NullMarked;
