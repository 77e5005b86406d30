package io.sealbook.peer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.peer.frame.FrameVerdict;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.peer.handshake.HandshakeRefusal;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Counters of the connections of one role. They count traffic, losses with their reasons, and connections. */
final class PeerMetrics {
    final Counter framesOut;
    final Counter framesIn;
    final Counter bytesOut;
    final Counter bytesIn;
    final Counter sessions;
    final Counter lost;
    final Counter dialFailures;
    final Counter garbage;
    final Counter surplus;
    final Counter malformedPayloads;
    final Counter droppedUnconnected;
    final Counter droppedQueueFull;
    final Counter droppedWithConnection;
    final Counter droppedOverloaded;
    final Counter otherEpoch;
    private final MeterRegistry registry;
    private final String role;

    PeerMetrics(MeterRegistry registry, ConnectionRole role) {
        this.registry = registry;
        this.role = role.name().toLowerCase(Locale.ROOT);
        framesOut = counter("sealbook.peer.frames", "Frames written or read", "direction", "out");
        framesIn = counter("sealbook.peer.frames", "Frames written or read", "direction", "in");
        bytesOut = counter("sealbook.peer.bytes", "Bytes of these frames", "direction", "out");
        bytesIn = counter("sealbook.peer.bytes", "Bytes of these frames", "direction", "in");
        sessions = counter("sealbook.peer.connections", "Sessions that began or ended", "event", "established");
        lost = counter("sealbook.peer.connections", "Sessions that began or ended", "event", "lost");
        dialFailures = counter("sealbook.peer.connections", "Sessions that began or ended", "event", "dial_failed");
        garbage = refused("garbage");
        surplus = refused("too_many_handshakes");
        malformedPayloads = refused("malformed_payload");
        droppedUnconnected = dropped("not_connected");
        droppedQueueFull = dropped("queue_full");
        droppedWithConnection = dropped("connection_lost");
        droppedOverloaded = dropped("loop_overloaded");
        otherEpoch =
                counter("sealbook.peer.ignored", "Payload frames that came and were not used", "reason", "other_epoch");
        registerRefusals();
    }

    /** A series that begins with its first refusal would hide that refusal from a query for the increase. */
    private void registerRefusals() {
        for (HandshakeRefusal refusal : HandshakeRefusal.values()) {
            refused(reason(refusal));
        }
        for (FrameVerdict verdict : FrameVerdict.values()) {
            if (verdict != FrameVerdict.GENUINE) {
                refused(reason(verdict));
            }
        }
    }

    private static String reason(HandshakeRefusal refusal) {
        return "handshake_" + refusal.name().toLowerCase(Locale.ROOT);
    }

    private static String reason(FrameVerdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    /** Counts a handshake that ended without a session. */
    void refuse(HandshakeRefusal refusal) {
        refused(reason(refusal)).increment();
    }

    /** Counts a payload frame that is not the peer's. */
    void refuse(FrameVerdict verdict) {
        refused(reason(verdict)).increment();
    }

    <T> void queueGauge(int peer, T link, ToDoubleFunction<T> bytes) {
        Gauge.builder("sealbook.peer.queue.bytes", link, bytes)
                .description("Bytes that wait to be written to a peer")
                .tag("role", role)
                .tag("peer", Integer.toString(peer))
                .register(registry);
    }

    private Counter refused(String reason) {
        return counter("sealbook.peer.refused", "Connections closed because of what came on them", "reason", reason);
    }

    private Counter dropped(String reason) {
        return counter("sealbook.peer.dropped", "Frames that were not sent", "reason", reason);
    }

    private Counter counter(String name, String description, String key, String value) {
        return Counter.builder(name)
                .description(description)
                .tag("role", role)
                .tag(key, value)
                .register(registry);
    }
}
