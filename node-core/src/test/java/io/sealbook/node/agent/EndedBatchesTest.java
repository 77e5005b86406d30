package io.sealbook.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.member.TestMembers;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.Offer;
import io.sealbook.pbft.Input;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the batches that wait when a block ends their key. */
class EndedBatchesTest {
    private static final int SESSION = 2;
    private static final long KEY = SessionKey.of(TestMembers.BROKER, SESSION);
    private static final int OLD = 1;
    private static final int NEW = 2;

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

    /** What follows it cannot be in a block any more; what is before it can. */
    @Test
    void shouldDropWhatAnEndedKeySignedAndWhatFollows() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload before = held(1, null, NEW);
        Payload ofThief = held(2, before, OLD);
        Payload after = held(3, ofThief, NEW);

        cycle.begin(1);
        List.of(before, ofThief, after).forEach(batch -> cycle.step(batch.available()));
        cycle.end(1);
        assertThat(node.state.agreement().pendingBatches()).isEqualTo(3);
        revoke(cycle);

        assertThat(node.state.agreement().pendingBatches()).isEqualTo(1);
        assertThat(node.store.contains(before.batchId())).isTrue();
        assertThat(node.store.count()).isEqualTo(1);
        assertThat(node.sessions.head(KEY).next()).isEqualTo(2);

        Payload ofOwner = held(2, before, NEW);
        cycle.begin(2);
        cycle.step(ofOwner.available());
        cycle.end(2);
        assertThat(node.state.agreement().pendingBatches()).isEqualTo(2);
    }

    /** The thief may name any batch as the one before: its number must be free, too. */
    @Test
    void shouldForgetWhatAnEndedKeySaidOfTheNumberBefore() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload invented = stored(1, null, OLD);
        node.store.remove(invented.batchId());
        Payload ofThief = held(2, invented, OLD);
        cycle.begin(1);
        cycle.step(ofThief.available());
        cycle.end(1);
        revoke(cycle);

        Payload ofOwner = stored(1, null, NEW);

        assertThat(node.sessions.offer(KEY, ofOwner.position(), ofOwner.batchId()))
                .isEqualTo(Offer.TAKEN);
    }

    /** Admission may have taken it just before the block was executed. */
    @Test
    void shouldDropWhatComesAfterTheBlockThatEndedItsKey() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload ofThief = held(1, null, OLD);
        cycle.begin(1);
        cycle.end(1);
        node.endedKeys.become(new TestMembers().after(TestMembers.revokeKey(OLD)));

        cycle.begin(2);
        cycle.step(ofThief.available());
        cycle.end(2);

        assertThat(node.state.agreement().pendingBatches()).isZero();
        assertThat(node.store.count()).isZero();
        assertThat(node.sessions.head(KEY).next()).isEqualTo(1);
    }

    @Test
    void shouldTakeBackNothingUnderAnEndedKeyAtARestart() {
        node.endedKeys.become(new TestMembers().after(TestMembers.revokeKey(OLD)));
        Payload ofThief = held(1, null, OLD);
        Payload ofOwner = held(2, ofThief, NEW);
        ReplicaCycle cycle = node.cycle(List.of(ofThief.available(), ofOwner.available()));

        cycle.begin(1);
        cycle.end(1);

        assertThat(node.state.agreement().pendingBatches()).isZero();
        assertThat(node.store.contains(ofThief.batchId())).isFalse();
        assertThat(node.sessions.head(KEY).next()).isEqualTo(1);
    }

    /** Others may have voted for the proposal, too; nobody is blamed for the batch meanwhile. */
    @Test
    void shouldKeepWhatAProposalNamesUntilAnotherBlockTookItsPlace() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload named = held(1, null, OLD);
        Payload decided = node.storedElsewhere();
        cycle.begin(1);
        cycle.step(named.available());
        cycle.receive(CycleFixture.firstProposal(0, named));
        cycle.end(1);
        revoke(cycle);
        assertThat(node.store.contains(named.batchId())).isTrue();
        assertThat(node.state.agreement().pendingBatches()).isZero();

        Payload ofOwner = held(1, null, NEW);
        cycle.begin(2);
        List.of(ofOwner, decided).forEach(batch -> cycle.step(batch.available()));
        node.decide(cycle, decided);
        cycle.end(2);

        assertThat(node.committed).hasSize(1);
        assertThat(node.store.contains(named.batchId())).isFalse();
        assertThat(node.store.contains(ofOwner.batchId())).isTrue();
        assertThat(node.sessions.holder(KEY, 1)).isEqualTo(ofOwner.batchId());
        cycle.begin(3);
        cycle.end(3);
        assertThat(node.state.agreement().pendingBatches())
                .as("the owner's, beside the one that the archive is about to have")
                .isEqualTo(1);
    }

    /** Whichever of the two was the thief's, the owner goes on under its next key. */
    @Test
    void shouldResumeASessionWhoseEvidenceNamesAnEndedKey() {
        ReplicaCycle cycle = node.cycle(List.of());
        Payload ofThief = held(1, null, OLD);
        Payload ofOwner = stored(1, null, NEW);
        suspend(ofThief, ofOwner);
        cycle.begin(1);
        cycle.step(ofThief.available());
        cycle.step(new Input.SessionWithdrawn(KEY));
        cycle.end(1);
        assertThat(node.sessions.isSuspended(KEY)).isTrue();

        revoke(cycle);
        assertThat(node.sessions.isSuspended(KEY)).isFalse();
        assertThat(node.sessions.offer(KEY, ofOwner.position(), ofOwner.batchId()))
                .isEqualTo(Offer.TAKEN);

        cycle.begin(2);
        cycle.step(ofOwner.available());
        cycle.end(2);
        assertThat(node.state.agreement().pendingBatches()).isEqualTo(1);
    }

    /** Admission may have found it just before the block was executed. */
    @Test
    void shouldNotWithdrawASessionForEvidenceThatNamesAnEndedKey() {
        ReplicaCycle cycle = node.cycle(List.of());
        cycle.begin(1);
        cycle.end(1);
        node.endedKeys.become(new TestMembers().after(TestMembers.revokeKey(OLD)));
        suspend(stored(1, null, OLD), stored(1, null, NEW));

        cycle.begin(2);
        cycle.step(new Input.SessionWithdrawn(KEY));
        cycle.end(2);

        assertThat(node.sessions.isSuspended(KEY)).isFalse();
    }

    /** It is its broker's guilt. */
    @Test
    void shouldLeaveASessionSuspendedWhoseEvidenceNamesOtherKeys() {
        ReplicaCycle cycle = node.cycle(List.of());
        suspend(stored(1, null, NEW), stored(1, null, NEW + 1));
        cycle.begin(1);
        cycle.step(new Input.SessionWithdrawn(KEY));
        cycle.end(1);

        revoke(cycle);

        assertThat(node.sessions.isSuspended(KEY)).isTrue();
    }

    private void suspend(Payload one, Payload other) {
        node.evidence.add(
                Equivocation.of(one.signedBatch(), other.signedBatch()).orElseThrow());
        node.sessions.suspend(KEY);
    }

    private void revoke(ReplicaCycle cycle) {
        node.endedKeys.become(new TestMembers().after(TestMembers.revokeKey(OLD)));
        cycle.begin(1);
        cycle.step(new Input.AdministrationExecuted(1, false));
        cycle.end(1);
    }

    private Payload held(long number, Payload before, int keyId) {
        Payload payload = stored(number, before, keyId);
        node.sessions.offerUnordered(KEY, payload.position(), payload.batchId());
        return payload;
    }

    private Payload stored(long number, Payload before, int keyId) {
        Digest previous = before == null ? Digest.ZERO : before.batchId();
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(number)
                .putPrevious(previous.bytes(), 0, Digest.LENGTH)
                .validUntilBlock(100)
                .brokerId(TestMembers.BROKER)
                .keyId(keyId)
                .session(SESSION)
                .ordersCount(1);
        Payload payload = new Payload(
                BatchId.of(signed),
                signed,
                TestMembers.BROKER,
                new BatchView().wrap(signed).position(),
                100,
                1,
                CycleFixture.SELF,
                1,
                1);
        node.store.restore(payload);
        return payload;
    }
}
