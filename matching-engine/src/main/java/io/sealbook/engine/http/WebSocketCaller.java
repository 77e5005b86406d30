package io.sealbook.engine.http;

import io.sealbook.access.HolderQuota;
import io.sealbook.access.rate.PortRates;
import io.sealbook.access.rate.RateRefusal;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Who has opened a WebSocket, as the user of its session: its frames count with its requests. Any thread. */
public final class WebSocketCaller implements Principal {
    private final Object holder;
    private final PortRates.Share share;
    private final LongSupplier clockNs;
    private final Consumer<String> onRefused;
    private volatile Runnable end = () -> {};

    /**
     * @param holder caller, certificate or address
     * @param share what its requests and frames count against
     * @param clockNs the time in nanoseconds, from any origin
     * @param onRefused is given the reason of each refusal; must not wait
     */
    WebSocketCaller(Object holder, PortRates.Share share, LongSupplier clockNs, Consumer<String> onRefused) {
        this.holder = holder;
        this.share = share;
        this.clockNs = clockNs;
        this.onRefused = onRefused;
    }

    @Override
    public String getName() {
        return HolderQuota.nameOf(holder);
    }

    /** Returns whose limits the WebSocket counts against; equal objects are one. */
    public Object holder() {
        return holder;
    }

    /**
     * Sets what ends the WebSocket of a caller that sends too much.
     *
     * @param onExcess is called once, on the thread that reads; may wait
     */
    public void endWith(Runnable onExcess) {
        end = onExcess;
    }

    void end() {
        end.run();
    }

    /**
     * Counts what has come.
     *
     * @param isFrame whether it begins a frame
     * @param bytes of the frame that have come
     * @return false if it is too much
     */
    boolean admits(boolean isFrame, int bytes) {
        long nowNs = clockNs.getAsLong();
        Optional<RateRefusal> refusal = isFrame ? share.takeCall(nowNs) : Optional.empty();
        if (refusal.isEmpty()) {
            refusal = share.takeBytes(bytes, nowNs);
        }
        refusal.ifPresent(present -> onRefused.accept(present.reason()));
        return refusal.isEmpty();
    }
}
