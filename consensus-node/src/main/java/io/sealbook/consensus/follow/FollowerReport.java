package io.sealbook.consensus.follow;

import com.google.protobuf.ByteString;
import io.sealbook.archive.BlockArchive;
import io.sealbook.consensus.status.Readiness;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.FollowerStatus;
import java.util.function.Supplier;

/**
 * The follower's state as operators read it. Any thread.
 *
 * @param genesis of the chain
 * @param archive this follower's
 * @param state published by the follow thread
 * @param judge of the engine beside it
 * @param trouble why it stops; empty while it does not
 */
record FollowerReport(
        GenesisFile genesis,
        BlockArchive archive,
        Supplier<FollowerState> state,
        EngineJudge judge,
        Supplier<String> trouble) {
    /** Returns whether readers here see nearly what the members have, and why not. */
    Readiness readiness() {
        FollowerState now = state.get();
        int interval = now.terms().getParameters().getCheckpointInterval();
        if (!trouble.get().isEmpty()) {
            return new Readiness(false, trouble.get());
        }
        if (now.source().isEmpty()) {
            return new Readiness(false, "no source of blocks");
        }
        if (judge.wrongAt() > 0) {
            return new Readiness(
                    false, "the engine's result of block " + judge.wrongAt() + " is not the certified one");
        }
        return now.lagBlocks() <= interval
                ? new Readiness(true, "")
                : new Readiness(false, now.lagBlocks() + " blocks behind");
    }

    /** Returns the whole status at this moment. */
    FollowerStatus status() {
        FollowerState now = state.get();
        Readiness readiness = readiness();
        return FollowerStatus.newBuilder()
                .setChainId(genesis.genesis().getChainId())
                .setState(phase(now, readiness))
                .setReady(readiness.isReady())
                .setNotReadyReason(readiness.reason())
                .setSource(now.source())
                .setLastBlock(now.lastBlock())
                .setLastBlockHash(ByteString.copyFrom(archive.lastHash().bytes()))
                .setLastCertified(now.lastCertified())
                .setKnownHeight(now.knownHeight())
                .setHeldBlocks(now.heldBlocks())
                .addAllFaultySources(now.faults())
                .setEngineRightTo(judge.lastRight())
                .setEngineWrongAt(judge.wrongAt())
                .build();
    }

    private String phase(FollowerState now, Readiness readiness) {
        if (!trouble.get().isEmpty()) {
            return "STOPPING";
        }
        if (now.source().isEmpty()) {
            return "NO_SOURCE";
        }
        if (judge.wrongAt() > 0) {
            return "ENGINE_WRONG";
        }
        return readiness.isReady() ? "FOLLOWING" : "CATCHING_UP";
    }
}
