package io.sealbook.engine.marketdata;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * How streams are served.
 *
 * @param executor runs followers, one after another or several at once
 * @param stallMs milliseconds for which a reader may take nothing of what waits for it
 * @param onEnd called with a follower that was cut
 */
record Delivery(Executor executor, long stallMs, Consumer<Follower<?>> onEnd) {}
