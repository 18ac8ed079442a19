/** What every server of the public API shares: field checks and the form of refusals. */
@NullMarked
package io.seqsvr.node.api;

import org.jspecify.annotations.NullMarked;
