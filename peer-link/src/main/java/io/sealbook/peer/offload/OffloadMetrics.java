package io.sealbook.peer.offload;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.peer.frame.FrameVerdict;
import io.sealbook.peer.messagelog.MessageLog;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counters of the way in. Each answers: why did a vote that a peer sent not reach the agent? */
final class OffloadMetrics {
    final Counter votes;
    final Counter signatures;
    final Counter badSignatures;
    final Counter malformed;
    final Counter duplicates;
    final Counter refused;
    final Counter stale;
    final Counter otherEpoch;
    final Counter deviceFailures;
    final Counter afterRefusal;
    final Counter rests;
    private final Map<FrameVerdict, Counter> verdicts = new EnumMap<>(FrameVerdict.class);

    OffloadMetrics(MeterRegistry registry, MessageLog log) {
        votes = Counter.builder("sealbook.offload.votes")
                .description("Votes stored for the agent")
                .register(registry);
        signatures = Counter.builder("sealbook.offload.signatures")
                .description("Signatures inside votes that were given to the verifier")
                .register(registry);
        badSignatures = dropped(registry, "bad_signature");
        malformed = dropped(registry, "malformed");
        duplicates = dropped(registry, "duplicate");
        refused = dropped(registry, "log_full");
        stale = dropped(registry, "stale");
        otherEpoch = dropped(registry, "other_epoch");
        deviceFailures = dropped(registry, "verifier_failed");
        afterRefusal = dropped(registry, "after_refusal");
        rests = Counter.builder("sealbook.offload.rests")
                .description("Times that a peer was not read because its votes had taken its share of the processor")
                .register(registry);
        for (FrameVerdict verdict : FrameVerdict.values()) {
            if (verdict != FrameVerdict.GENUINE) {
                verdicts.put(verdict, dropped(registry, verdict.name().toLowerCase(Locale.ROOT)));
            }
        }
        Gauge.builder("sealbook.messagelog.occupied", log, MessageLog::occupiedCount)
                .description("Slots of the message log that are taken")
                .register(registry);
        Gauge.builder("sealbook.messagelog.slots", log, MessageLog::slotCount)
                .description("Slots of the message log")
                .register(registry);
        Gauge.builder("sealbook.messagelog.overflow", log, MessageLog::overflowCount)
                .description("Messages that wait on the heap instead of in a slot")
                .register(registry);
        Gauge.builder("sealbook.messagelog.overflow.ever", log, MessageLog::overflowTotal)
                .description("Messages that ever went to the heap instead of a slot")
                .register(registry);
    }

    Counter verdict(FrameVerdict verdict) {
        return verdicts.get(verdict);
    }

    private static Counter dropped(MeterRegistry registry, String reason) {
        return Counter.builder("sealbook.offload.dropped")
                .description("Votes that did not reach the agent")
                .tag("reason", reason)
                .register(registry);
    }
}
