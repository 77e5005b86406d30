package io.sealbook.pbft;

import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.StableCertificate;

/**
 * The configuration of a replica. All members of a cluster have equal values, except {@code replicaId}.
 *
 * @param replicaId 0-based
 * @param replicaCount 4 to {@link #REPLICA_COUNT_MAX}
 * @param epoch bound into every vote
 * @param origin certificate of the last block before the epoch, without its signatures;
 *     {@link StableCertificate#GENESIS} in the first epoch
 * @param blockMaxBatches batches in a proposal, at least 1
 * @param blockMaxWaitNs longest time that a ready batch waits for others
 * @param pipelineWindow proposals in flight, at least 1
 * @param checkpointInterval blocks between checkpoints (K)
 * @param logWindow blocks between the watermarks (L), at least 2 K
 * @param hasFairOrder whether batches are ordered by when a quorum had them, see {@link FairOrder}
 * @param proposesAfter what a block must have reached before it is in flight no more
 * @param requestTimeoutNs longest time without a delivery while a batch waits
 * @param viewChangeTimeoutMaxNs greatest value of the doubled timeouts
 * @param blockTimeDriftMaxNs between a proposal's time and the clock of the replica that judges it
 * @param linkGraceNs time after which a lost connection to the primary, which may come back at once, counts; the least
 *     silence of a connected primary that may count
 * @param heartbeatNs period in which each replica sends something to each other one; that of {@link Input.Heard}
 * @param statusIntervalNs between STATUS messages and retries
 * @param fetchDelayNs time after which a missing payload of a proposal is fetched; it may still be on its way before
 */
public record ReplicaConfig(
        int replicaId,
        int replicaCount,
        Epoch epoch,
        StableCertificate origin,
        int blockMaxBatches,
        long blockMaxWaitNs,
        int pipelineWindow,
        int checkpointInterval,
        int logWindow,
        boolean hasFairOrder,
        ProposesAfter proposesAfter,
        long requestTimeoutNs,
        long viewChangeTimeoutMaxNs,
        long blockTimeDriftMaxNs,
        long linkGraceNs,
        long heartbeatNs,
        long statusIntervalNs,
        long fetchDelayNs) {
    /** Sets of replicas are kept in the bits of a long. */
    public static final int REPLICA_COUNT_MAX = 64;

    /** Default of {@code heartbeatNs}. */
    public static final long HEARTBEAT_NS = 20_000_000;

    private static final long MS = 1_000_000L;

    /** When a block leaves the pipeline, so that its primary may propose another one. */
    public enum ProposesAfter {
        /** Agreement has delivered the block; engines execute it while later blocks are agreed on. */
        DELIVERY,
        /** A quorum has certified the result of the block: agreement waits for execution. */
        CERTIFIED_RESULT
    }

    public ReplicaConfig {
        Quorum.of(replicaCount);
        require(0 <= replicaId && replicaId < replicaCount, "replicaId " + replicaId + " of " + replicaCount);
        require(
                origin.signatures().isEmpty() && (epoch.number() == 0) == origin.equals(StableCertificate.GENESIS),
                "epoch " + epoch.number() + " after " + origin);
        require(blockMaxBatches >= 1, "blockMaxBatches " + blockMaxBatches);
        require(blockMaxWaitNs >= 0, "blockMaxWaitNs " + blockMaxWaitNs);
        require(checkpointInterval >= 1, "checkpointInterval " + checkpointInterval);
        require(
                logWindow >= 2 * checkpointInterval,
                "logWindow " + logWindow + " is below twice checkpointInterval " + checkpointInterval);
        require(
                1 <= pipelineWindow && pipelineWindow <= logWindow,
                "pipelineWindow " + pipelineWindow + " is not in 1.." + logWindow);
        require(
                proposesAfter == ProposesAfter.DELIVERY || pipelineWindow >= checkpointInterval,
                "pipelineWindow " + pipelineWindow + " is below checkpointInterval " + checkpointInterval
                        + ", whose certificate it awaits");
        require(requestTimeoutNs > 0, "requestTimeoutNs " + requestTimeoutNs);
        require(
                viewChangeTimeoutMaxNs >= requestTimeoutNs,
                "viewChangeTimeoutMaxNs " + viewChangeTimeoutMaxNs + " is below requestTimeoutNs " + requestTimeoutNs);
        require(blockTimeDriftMaxNs > 0, "blockTimeDriftMaxNs " + blockTimeDriftMaxNs);
        require(linkGraceNs >= 0, "linkGraceNs " + linkGraceNs);
        require(heartbeatNs > 0, "heartbeatNs " + heartbeatNs);
        require(statusIntervalNs > 0, "statusIntervalNs " + statusIntervalNs);
        require(fetchDelayNs >= 0, "fetchDelayNs " + fetchDelayNs);
    }

    /**
     * Returns a builder with the defaults of the genesis file.
     *
     * @param replicaId 0-based, below {@code replicaCount}
     * @param replicaCount 4 to {@link #REPLICA_COUNT_MAX}
     * @param chainId of the chain
     */
    public static Builder builder(int replicaId, int replicaCount, long chainId) {
        return new Builder(replicaId, replicaCount, chainId);
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }

    /** Collects the parameters that differ from the defaults. */
    public static final class Builder {
        private final int replicaId;
        private final int replicaCount;
        private Epoch epoch;
        private StableCertificate origin = StableCertificate.GENESIS;
        private int blockMaxBatches = 500;
        private long blockMaxWaitNs = 500 * MS;
        private int pipelineWindow = 32;
        private int checkpointInterval = 16;
        private int logWindow = 128;
        private boolean hasFairOrder;
        private ProposesAfter proposesAfter = ProposesAfter.DELIVERY;
        private long requestTimeoutNs = 2_000 * MS;
        private long viewChangeTimeoutMaxNs = 8_000 * MS;
        private long blockTimeDriftMaxNs = 5_000 * MS;
        private long linkGraceNs = 100 * MS;
        private long heartbeatNs = HEARTBEAT_NS;
        private long statusIntervalNs = 200 * MS;
        private long fetchDelayNs = 30 * MS;

        private Builder(int replicaId, int replicaCount, long chainId) {
            this.replicaId = replicaId;
            this.replicaCount = replicaCount;
            this.epoch = Epoch.first(chainId);
        }

        /**
         * Sets an epoch after the first.
         *
         * @param number of the epoch, 1 or more
         * @param last certificate of the last block before the epoch; its signatures are left out
         */
        public Builder epoch(int number, StableCertificate last) {
            epoch = new Epoch(epoch.chainId(), number);
            origin = last.unsigned();
            return this;
        }

        /**
         * Sets the limits of a proposal.
         *
         * @param maxBatches batches in a proposal, at least 1
         * @param maxWaitNs longest time that a ready batch waits for others, at least 0
         */
        public Builder block(int maxBatches, long maxWaitNs) {
            blockMaxBatches = maxBatches;
            blockMaxWaitNs = maxWaitNs;
            return this;
        }

        /**
         * Sets the windows, in blocks.
         *
         * @param pipeline proposals in flight, 1 to {@code log}
         * @param checkpointEvery blocks between checkpoints, at least 1
         * @param log blocks between the watermarks, at least twice {@code checkpointEvery}
         */
        public Builder windows(int pipeline, int checkpointEvery, int log) {
            pipelineWindow = pipeline;
            checkpointInterval = checkpointEvery;
            logWindow = log;
            return this;
        }

        public Builder fairOrder(boolean isWanted) {
            hasFairOrder = isWanted;
            return this;
        }

        public Builder proposesAfter(ProposesAfter reached) {
            proposesAfter = reached;
            return this;
        }

        /**
         * Sets the timeouts of a primary.
         *
         * @param requestNs longest time without a delivery while a batch waits, above 0
         * @param viewChangeMaxNs greatest value of the doubled timeouts, at least {@code requestNs}
         */
        public Builder timeouts(long requestNs, long viewChangeMaxNs) {
            requestTimeoutNs = requestNs;
            viewChangeTimeoutMaxNs = viewChangeMaxNs;
            return this;
        }

        public Builder blockTimeDriftMaxNs(long driftMaxNs) {
            blockTimeDriftMaxNs = driftMaxNs;
            return this;
        }

        public Builder linkGraceNs(long graceNs) {
            linkGraceNs = graceNs;
            return this;
        }

        public Builder heartbeatNs(long periodNs) {
            heartbeatNs = periodNs;
            return this;
        }

        public Builder statusIntervalNs(long intervalNs) {
            statusIntervalNs = intervalNs;
            return this;
        }

        public Builder fetchDelayNs(long delayNs) {
            fetchDelayNs = delayNs;
            return this;
        }

        public ReplicaConfig build() {
            return new ReplicaConfig(
                    replicaId,
                    replicaCount,
                    epoch,
                    origin,
                    blockMaxBatches,
                    blockMaxWaitNs,
                    pipelineWindow,
                    checkpointInterval,
                    logWindow,
                    hasFairOrder,
                    proposesAfter,
                    requestTimeoutNs,
                    viewChangeTimeoutMaxNs,
                    blockTimeDriftMaxNs,
                    linkGraceNs,
                    heartbeatNs,
                    statusIntervalNs,
                    fetchDelayNs);
        }
    }
}
