package io.sealbook.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cycle keeps, forgets and records. */
class ReplicaCycleTest {
    /** Batches of a session: six more than agreement holds. */
    private static final int BEYOND_AGREEMENT = 1_030;

    @TempDir
    private Path directory;

    private CycleFixture node;

    @BeforeEach
    void open() {
        node = new CycleFixture(directory);
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void shouldKeepWhatAMemberSignedTwiceAndPassItOn() {
        ReplicaCycle cycle = node.cycle(List.of());
        Prepare one = new Prepare(0, 5, Digest.ZERO, 2, Signature.of(new byte[65]));
        Prepare other = new Prepare(0, 5, Digest.sha256(new byte[1]), 2, Signature.of(new byte[65]));

        cycle.begin(1);
        cycle.receive(one);
        cycle.receive(other);
        cycle.end(1);

        EvidenceStore.MemberKey key = new EvidenceStore.MemberKey(2, 0);
        assertThat(node.evidence.memberKeys()).containsExactly(key);
        assertThat(node.evidence.read(key))
                .hasValueSatisfying(kept -> assertThat(kept.vote().subject()).isEqualTo("vote in view 0 for block 5"));
        assertThat(node.broadcasts).contains(one, other);
    }

    /** The committer removes the batches of a block, once the block is in the archive. */
    @Test
    void shouldKeepTheBatchesOfABlockAndForgetTheVersionThatLostItsNumber() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload first = node.stored(1, 1, null);
        Payload lost = node.stored(2, 1, first);
        Payload second = node.stored(2, 2, first);

        cycle.begin(1);
        List.of(first, lost, second).forEach(batch -> cycle.step(batch.available()));
        node.decide(cycle, second);
        cycle.end(1);
        // Agreement asks for the named version, and it is here.
        for (int period = 1; node.committed.isEmpty() && period <= 10; period++) {
            cycle.begin(period * 1_000_000_000L);
            cycle.end(period * 1_000_000_000L);
        }

        assertThat(((CommitTask.Deliver) node.committed.getFirst()).batches()).containsExactly(first, second);
        assertThat(node.store.contains(first.batchId())).isTrue();
        assertThat(node.store.contains(second.batchId())).isTrue();
        assertThat(node.store.contains(lost.batchId())).isFalse();
    }

    @Test
    void shouldForgetTheBatchesOfAWithdrawnSession() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload alone = node.stored(1, 1, null);

        cycle.begin(1);
        cycle.step(alone.available());
        cycle.step(new Input.SessionWithdrawn(alone.sessionKey()));
        cycle.end(1);

        assertThat(node.store.count()).isZero();
    }

    /** Admission takes more of a session than agreement holds: the rest waits beside it, and may be all of a share. */
    @Test
    void shouldForgetWhatWaitedForRoomInAWithdrawnSession() {
        ReplicaCycle cycle = node.cycle(List.of());
        List<Payload> batches = storedThrough(BEYOND_AGREEMENT);

        cycle.begin(1);
        batches.forEach(batch -> cycle.step(batch.available()));
        cycle.end(1);
        assertThat(node.store.count()).isEqualTo(BEYOND_AGREEMENT);
        cycle.begin(2);
        cycle.step(new Input.SessionWithdrawn(batches.getFirst().sessionKey()));
        cycle.end(2);

        assertThat(node.store.count()).isZero();
    }

    @Test
    void shouldForgetWhatASessionThatWasSuspendedBeforeARestartHadWaiting() {
        List<Payload> batches = storedThrough(BEYOND_AGREEMENT);
        batches.forEach(batch -> node.sessions.offer(batch.sessionKey(), batch.position(), batch.batchId()));
        node.sessions.suspend(batches.getFirst().sessionKey());
        ReplicaCycle cycle = node.cycle(batches.stream().map(Payload::available).toList());

        cycle.begin(1);
        cycle.end(1);

        assertThat(node.store.count()).isZero();
    }

    private List<Payload> storedThrough(int last) {
        List<Payload> batches = new ArrayList<>();
        for (int number = 1; number <= last; number++) {
            batches.add(node.stored(number, number >> Byte.SIZE, batches.isEmpty() ? null : batches.getLast()));
        }
        return batches;
    }

    /** A faulty primary names the version that nobody holds, and gives a part of it away. */
    @Test
    void shouldKeepWhatAProposalNamesOfAWithdrawnSessionUntilAnotherBlockTookItsPlace() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload held = node.stored(1, 1, null);
        Payload lastNamed = node.stored(2, 2, node.stored(1, 2, null));
        Payload unnamed = node.stored(3, 2, lastNamed);

        cycle.begin(1);
        cycle.receive(CycleFixture.firstProposal(0, lastNamed));
        List.of(held, lastNamed, unnamed).forEach(batch -> cycle.step(batch.available()));
        cycle.step(new Input.SessionWithdrawn(held.sessionKey()));
        cycle.end(1);
        assertThat(node.store.contains(lastNamed.batchId())).isTrue();
        assertThat(node.store.contains(unnamed.batchId())).isFalse();

        Payload decided = node.storedElsewhere();
        cycle.begin(2);
        cycle.step(decided.available());
        node.decide(cycle, decided);
        cycle.end(2);

        assertThat(node.committed).hasSize(1);
        assertThat(node.store.contains(decided.batchId())).isTrue();
        assertThat(node.store.contains(lastNamed.batchId())).isFalse();
    }

    /** Once: the replica voted at once for the proposal that named the range next, and had no batches for its block. */
    @Test
    void shouldKeepARangeOfAWithdrawnSessionThatAgreementHasApart() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload held = node.stored(1, 1, null);
        Payload named = node.stored(1, 2, null);
        Payload decided = node.storedElsewhere();

        cycle.begin(1);
        cycle.receive(CycleFixture.firstProposal(0, named));
        cycle.step(held.available());
        cycle.end(1);
        cycle.begin(1_000_000_000L);
        cycle.end(1_000_000_000L);
        cycle.begin(1_000_000_001L);
        List.of(named, decided).forEach(batch -> cycle.step(batch.available()));
        cycle.step(new Input.SessionWithdrawn(held.sessionKey()));
        node.decide(cycle, decided);
        cycle.end(1_000_000_001L);

        assertThat(node.committed).hasSize(1);
        assertThat(node.store.contains(named.batchId())).isTrue();
    }

    /** It would be passed to agreement as a range, which agreement keeps for a proposal that is gone. */
    @Test
    void shouldForgetWhatAProposalOfTheViewBeforeNamed() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload held = node.stored(1, 1, null);
        Payload named = node.stored(1, 2, null);
        cycle.begin(1);
        cycle.receive(CycleFixture.firstProposal(0, named));
        cycle.step(held.available());
        cycle.end(1);
        cycle.begin(1_000_000_000L);
        cycle.end(1_000_000_000L);

        cycle.begin(1_000_000_001L);
        cycle.receive(CycleFixture.emptyNewView());
        cycle.end(1_000_000_001L);
        cycle.begin(1_000_000_002L);
        cycle.step(named.available());
        cycle.step(new Input.SessionWithdrawn(held.sessionKey()));
        cycle.end(1_000_000_002L);

        assertThat(node.state.agreement().view()).isEqualTo(1);
        assertThat(node.store.count()).isZero();
    }

    /** A block of this cycle has what waits beside agreement, in a session that is withdrawn after it. */
    @Test
    void shouldKeepTheBatchesOfABlockWhoseSessionIsWithdrawnInTheSameCycle() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload held = node.stored(1, 1, null);
        Payload named = node.stored(1, 2, null);

        cycle.begin(1);
        List.of(held, named).forEach(batch -> cycle.step(batch.available()));
        node.decide(cycle, named);
        cycle.end(1);
        for (int period = 1; node.committed.isEmpty() && period <= 10; period++) {
            cycle.begin(period * 1_000_000_000L);
            cycle.step(new Input.SessionWithdrawn(held.sessionKey()));
            cycle.end(period * 1_000_000_000L);
        }

        assertThat(((CommitTask.Deliver) node.committed.getFirst()).batches()).containsExactly(named);
        assertThat(node.store.contains(named.batchId())).isTrue();
        assertThat(node.store.contains(held.batchId())).isFalse();
    }

    /** The frames that carried the evidence may have been lost: who goes on waiting for the session gets them again. */
    @Test
    void shouldShowTheEvidenceAgainToAMemberThatWaitsForAWithdrawnSession() {
        ReplicaCycle cycle = node.cycle(List.of());
        byte[] one = CycleFixture.signedBatch(1);
        byte[] other = CycleFixture.signedBatch(2);
        Equivocation found = Equivocation.of(one, other).orElseThrow();
        node.evidence.add(found);
        BatchAck waiting = new BatchAck(List.of(new SessionEnd(found.sessionKey(), 1, BatchId.of(one))), 2);

        cycle.begin(1);
        cycle.step(new Input.SessionWithdrawn(found.sessionKey()));
        cycle.receive(waiting);
        cycle.receive(waiting);
        cycle.end(1);

        assertThat(node.payloadsSent).as("once in a period").hasSize(2).allMatch(sent -> sent.to() == 2);
        assertThat(node.payloadsSent)
                .extracting(CycleFixture.SentPayload::signedBatch)
                .containsExactly(one, other);

        cycle.begin(1_000_000_000L);
        cycle.end(1_000_000_000L);
        cycle.begin(1_000_000_001L);
        cycle.receive(waiting);
        cycle.end(1_000_000_001L);

        assertThat(node.payloadsSent).as("again in the next").hasSize(4);
    }

    /**
     * Nothing of the session may be in a block or held: what two nodes had of it was dropped with it. A restarted node
     * is the only one that can show a new member why nobody waits.
     */
    @Test
    void shouldShowTheEvidenceOfASessionOfWhichItHoldsNothingAfterARestart() {
        byte[] one = CycleFixture.signedBatch(1);
        byte[] other = CycleFixture.signedBatch(2);
        Equivocation found = Equivocation.of(one, other).orElseThrow();
        node.evidence.add(found);
        node.evidence.sessions().forEach(node.sessions::suspend);
        ReplicaCycle cycle = node.cycle(List.of());

        cycle.begin(1);
        cycle.receive(new BatchAck(List.of(new SessionEnd(found.sessionKey(), 1, BatchId.of(one))), 2));
        cycle.end(1);

        assertThat(node.payloadsSent)
                .extracting(CycleFixture.SentPayload::signedBatch)
                .containsExactly(one, other);
    }

    /** Nobody else may have its batches. */
    @Test
    void shouldNotWaitForASessionThatWasSuspendedBeforeARestart() {
        Payload alone = node.stored(1, 1, null);
        node.sessions.offer(alone.sessionKey(), alone.position(), alone.batchId());
        node.sessions.suspend(alone.sessionKey());
        ReplicaCycle cycle = node.cycle(List.of(alone.available()));

        cycle.begin(1);
        cycle.end(1);

        assertThat(node.state.agreement().pendingBatches()).isZero();
    }

    @Test
    void shouldForgetWhatABlockOfAPeerHasOvertaken() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload first = node.stored(1, 1, null);
        Payload ahead = node.stored(3, 1, node.stored(2, 1, first));

        cycle.begin(1);
        cycle.step(ahead.available());
        cycle.step(new Input.BlockTransferred(1, Digest.ZERO, List.of(CycleFixture.end(ahead))));
        cycle.end(1);

        assertThat(node.store.contains(ahead.batchId())).isFalse();
    }
}
