package io.sealbook.consensus.config;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.peer.PeerConfig;
import java.util.List;

/**
 * Parts of the design that an experiment switches off to measure what each is worth. A node in production has none of
 * these settings: only a laboratory may.
 *
 * @param isLaboratory whether the file declares the node a laboratory
 * @param payloadRoute the way of a batch to the other members
 * @param decoding how often the header of a batch is decoded
 * @param offload the thread that checks peer messages
 * @param threads whether agreement and commit share a thread
 * @param verifyBatchMax signatures verified together at most, 1..{@link SignatureBatch#CAPACITY_MAX}; the verifier
 *     prefers fewer
 * @param execution where blocks are executed
 */
public record ExperimentConfig(
        boolean isLaboratory,
        PayloadRoute payloadRoute,
        HeaderDecoding.Policy decoding,
        PeerConfig.Offload offload,
        ThreadLayout threads,
        int verifyBatchMax,
        ExecutionConfig execution) {
    /** What a node in production runs. */
    public static final ExperimentConfig PRODUCTION = new ExperimentConfig(
            false,
            PayloadRoute.DIRECT,
            HeaderDecoding.Policy.ONCE,
            PeerConfig.Offload.EVENT_LOOP,
            ThreadLayout.TWO,
            SignatureBatch.CAPACITY_MAX,
            ExecutionConfig.PRODUCTION);

    static final String PREFIX = "experiment.";
    private static final String LABORATORY = "laboratory";
    /** Keys that had no prefix in an earlier release. */
    private static final List<String> FORMER_KEYS = List.of("payload-route", "offload", "threads", "verify-batch-max");

    public ExperimentConfig {
        ConfigException.require(
                1 <= verifyBatchMax && verifyBatchMax <= SignatureBatch.CAPACITY_MAX,
                PREFIX + "verify-batch-max=" + verifyBatchMax + " is not 1.." + SignatureBatch.CAPACITY_MAX);
    }

    /** Reads the settings, which a file may have if it declares a laboratory. */
    static ExperimentConfig of(Settings settings) {
        for (String former : FORMER_KEYS) {
            ConfigException.require(
                    !settings.has(former),
                    former + " is " + PREFIX + former + " now, a setting of laboratories (" + LABORATORY + "=true)");
        }
        boolean isLaboratory = settings.truth(LABORATORY, false);
        List<String> given = settings.keysWith(PREFIX);
        ConfigException.require(
                isLaboratory || given.isEmpty(),
                given + " are settings of laboratories; a node in production has none. " + LABORATORY
                        + "=true declares a laboratory");
        return new ExperimentConfig(
                isLaboratory,
                settings.choice(PREFIX + "payload-route", PRODUCTION.payloadRoute),
                settings.choice(PREFIX + "decoding", PRODUCTION.decoding),
                settings.choice(PREFIX + "offload", PRODUCTION.offload),
                settings.choice(PREFIX + "threads", PRODUCTION.threads),
                settings.integer(PREFIX + "verify-batch-max", Integer.toString(PRODUCTION.verifyBatchMax)),
                ExecutionConfig.of(settings));
    }
}
