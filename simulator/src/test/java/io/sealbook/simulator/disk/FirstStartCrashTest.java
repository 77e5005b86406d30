package io.sealbook.simulator.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.storage.CallerThread;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.restart.LostReplicaLogException;
import io.sealbook.node.restart.VoteRecords;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node whose machine fails at each write, force and removal of its first start, by a kill or a power cut. A start
 * that did not end can be done again. After one that ended, the replica may have voted: its log has a record, whatever
 * the disk lost, and its key alone lets nothing start.
 */
class FirstStartCrashTest {
    private static final VerificationKey KEY =
            SigningKey.generate(SignatureScheme.SM2_SM3).verificationKey();
    private static final int SEEDS = 8;
    private static final int SEGMENT_LENGTH = 4 << 10;

    private int callsLeft = Integer.MAX_VALUE;

    private static final class MachineFailure extends RuntimeException {
        MachineFailure() {
            super("the machine fails", null, false, false);
        }
    }

    private void pass() {
        if (callsLeft-- <= 0) {
            throw new MachineFailure();
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldHaveARecordOrTheMarkWhereverItsFirstStartEnded(Durability durability) throws IOException {
        int calls = 0;
        boolean hasEnded = false;
        while (!hasEnded) {
            for (int seed = 0; seed < SEEDS; seed++) {
                for (boolean isPowerLost : new boolean[] {false, true}) {
                    hasEnded = failAt(calls, durability, seed, isPowerLost);
                }
            }
            calls++;
        }
        assertThat(calls).as("places in which it failed").isGreaterThan(10);
    }

    /** Fails after a number of calls; returns whether the first start ended before. */
    private boolean failAt(int calls, Durability durability, int seed, boolean isPowerLost) throws IOException {
        callsLeft = Integer.MAX_VALUE;
        SimulatedDisk disk = new SimulatedDisk(new SplittableRandom(seed), this::pass);
        neverVoted(disk).write();
        callsLeft = calls;
        boolean hasEnded = true;
        try {
            start(disk, durability);
        } catch (MachineFailure e) {
            hasEnded = false;
        }
        callsLeft = Integer.MAX_VALUE;
        if (isPowerLost) {
            disk.failPower();
        } else {
            disk.killProcess();
        }
        String place = "call " + calls + ", seed " + seed + (isPowerLost ? ", power" : ", kill");
        if (hasEnded) {
            assertThat(neverVoted(disk).fault()).as(place).isPresent();
            assertThat(hasRecord(disk, durability)).as(place).isTrue();
        } else if (isPowerLost && !durability.isDisk()) {
            // The new log may be damaged in this class, and is refused then. No vote has left.
            return false;
        }

        start(disk, durability);

        assertThat(neverVoted(disk).fault()).as(place).isPresent();
        assertThat(hasRecord(disk, durability)).as(place).isTrue();
        return hasEnded;
    }

    @Test
    void shouldNotStartByAKeyWhoseDiskLostAllElse() throws IOException {
        SimulatedDisk disk = new SimulatedDisk(new SplittableRandom(1), () -> {});
        neverVoted(disk).write();
        start(disk, Durability.PROCESS);
        for (String lost : new String[] {"replica-log", "replica-mark"}) {
            try (FileStorage storage = FileStorage.open(disk.directory(lost))) {
                storage.names().forEach(storage::delete);
            }
        }

        assertThatThrownBy(() -> start(disk, Durability.PROCESS)).isInstanceOf(LostReplicaLogException.class);
    }

    private static NeverVotedMark neverVoted(SimulatedDisk disk) {
        return NeverVotedMark.of(disk.directory("node.key"), KEY);
    }

    private static ReplicaLog log(SimulatedDisk disk, Durability durability) {
        return ReplicaLog.open(FileStorage.open(disk.directory("replica-log")), durability, SEGMENT_LENGTH);
    }

    private static boolean hasRecord(SimulatedDisk disk, Durability durability) {
        try (ReplicaLog log = log(disk, durability)) {
            return !log.records().isEmpty();
        }
    }

    private static void start(SimulatedDisk disk, Durability durability) {
        SimulatedDisk ofBlocks = new SimulatedDisk(new SplittableRandom(2), () -> {});
        ArchiveConfig config = new ArchiveConfig(Digest.ZERO, 16, durability);
        try (BlockArchive archive =
                        BlockArchive.open(ofBlocks.directory("archive"), config, new CallerThread(), () -> 61);
                ReplicaLog log = log(disk, durability);
                VoteMark mark = VoteMark.open(FileStorage.open(disk.directory("replica-mark")), durability)) {
            new VoteRecords(log, mark, neverVoted(disk), archive, new EmptySink()).require(false, noEvents());
        }
    }

    private static NodeEvents noEvents() {
        return (NodeEvents) Proxy.newProxyInstance(
                NodeEvents.class.getClassLoader(), new Class<?>[] {NodeEvents.class}, (proxy, method, arguments) -> {
                    throw new AssertionError(method);
                });
    }

    private static final class EmptySink implements BlockSink {
        @Override
        public void append(BlockLocation block) {
            throw new AssertionError(block);
        }

        @Override
        public Optional<BlockLocation> last() {
            return Optional.empty();
        }

        @Override
        public long lastSequence() {
            return 0;
        }
    }
}
