package io.sealbook.engine.http;

import io.sealbook.access.rate.PortRates;
import io.sealbook.access.rate.RateRefusal;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Who has opened a WebSocket, as the user of its session: its messages count with its requests. Any thread. */
public final class WebSocketCaller implements Principal {
    private final String name;
    private final PortRates.Share share;
    private final LongSupplier clockNs;
    private final Consumer<String> onRefused;

    /**
     * @param name of the holder
     * @param share what its requests and messages count against
     * @param clockNs the time in nanoseconds, from any origin
     * @param onRefused is given the reason of each refusal; must not wait
     */
    WebSocketCaller(String name, PortRates.Share share, LongSupplier clockNs, Consumer<String> onRefused) {
        this.name = name;
        this.share = share;
        this.clockNs = clockNs;
        this.onRefused = onRefused;
    }

    @Override
    public String getName() {
        return name;
    }

    /**
     * Counts a message that has come.
     *
     * @param bytes of the message
     * @return false if it is too much
     */
    public boolean admits(int bytes) {
        long nowNs = clockNs.getAsLong();
        Optional<RateRefusal> refusal = share.takeCall(nowNs);
        if (refusal.isEmpty()) {
            refusal = share.takeBytes(bytes, nowNs);
        }
        refusal.ifPresent(present -> onRefused.accept(present.reason()));
        return refusal.isEmpty();
    }
}
