/**
 * How a caller learns who owns what: it watches the routes at one of several servers.
 */
@NullMarked
package io.seqsvr.client.routes;

import org.jspecify.annotations.NullMarked;
