package io.sealbook.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.MembershipState;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.SetParameters;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MembershipTest {
    private final Consortium consortium = new Consortium(4);
    private final Membership start = Membership.of(consortium.genesis());

    private Membership.Outcome apply(Membership before, long block, Change... changes) {
        int[] approvers = before.quorum() == 3
                ? new int[] {0, 1, 3}
                : IntStream.range(0, before.quorum()).toArray();
        return before.apply(consortium.approved(before.number() + 1, List.of(changes), approvers), block);
    }

    private static void assertRefused(Membership.Outcome outcome, Membership before, String fact) {
        assertFalse(outcome.isExecuted());
        assertSame(before, outcome.membership());
        assertTrue(outcome.refusal().contains(fact), outcome.refusal());
    }

    @Test
    void shouldRotateAKeyWithOverlap() {
        Membership added = apply(start, 17, consortium.addKey(1, 2)).membership();
        Membership revoked = apply(added, 40, Consortium.revokeKey(1, 1)).membership();

        KeyTerm older = revoked.key(1, 1).orElseThrow();
        KeyTerm newer = revoked.key(1, 2).orElseThrow();
        assertTrue(older.isInEffect(1));
        assertTrue(older.isInEffect(40));
        assertFalse(older.isInEffect(41));
        assertFalse(newer.isInEffect(17));
        assertTrue(newer.isInEffect(18));
        assertEquals(2, revoked.number());
        assertTrue(start.key(1, 2).isEmpty(), "a membership never changes");
    }

    @Test
    void shouldNeverGiveOutAKeyIdTwice() {
        Membership revoked = apply(start, 5, Consortium.revokeKey(1, 1)).membership();

        assertRefused(apply(revoked, 6, consortium.addKey(1, 1)), revoked, "key 1 occurs twice");
        assertRefused(apply(revoked, 6, Consortium.revokeKey(1, 1)), revoked, "was revoked at block 5");
    }

    @Test
    void shouldAddABrokerThatFitsTheMarket() {
        Broker broker = consortium.newBroker(9, 900, 100);

        assertRefused(apply(start, 3, Consortium.add(broker)), start, "liveOrderCountMax add up to");
        Membership grown = apply(start, 3, Consortium.quota(1, 100), Consortium.add(broker))
                .membership();

        assertEquals(1, grown.number());
        assertTrue(grown.key(9, 1).orElseThrow().isInEffect(4));
        assertFalse(grown.key(9, 1).orElseThrow().isInEffect(3));
        assertRefused(apply(grown, 4, Consortium.add(broker)), grown, "broker 9 occurs twice");
    }

    @Test
    void shouldSetAndTakeAwayTheRatesOfABroker() {
        Change change = Consortium.rates(1, 500, -1);
        Membership raised = apply(
                        start,
                        2,
                        Consortium.parameters(SetParameters.newBuilder()
                                .setProtocolVersion(ProtocolVersion.RATES)
                                .build()))
                .membership();
        Membership limited = apply(raised, 3, change).membership();

        Broker broker = limited.terms().getBrokers(0);
        assertEquals(new RateQuota(500, 0xFFFF_FFFFL), RateQuota.of(broker));
        assertEquals("rates of broker 1 set to 500 orders and 4294967295 bytes per second", ChangeText.of(change));
        assertTrue(
                ChangeText.line(broker).contains(", 500 orders and 4294967295 bytes per second, key 1"),
                ChangeText.line(broker));
        Membership free = apply(limited, 4, Consortium.rates(1, 0, 0)).membership();
        assertEquals(raised.terms(), free.terms());
        assertSame(RateQuota.NONE, RateQuota.of(free.terms().getBrokers(0)));
        assertEquals("rates of broker 1 set to no limits per second", ChangeText.of(Consortium.rates(1, 0, 0)));
        assertRefused(apply(raised, 3, Consortium.rates(7, 1, 1)), raised, "no broker 7");
    }

    /** An older build does not know them. */
    @Test
    void shouldRefuseRatesBelowTheirVersionOfTheRules() {
        Broker rated = consortium.newBroker(9, 900, 1).toBuilder()
                .setBytesPerSecondMax(1)
                .build();

        assertRefused(apply(start, 3, Consortium.rates(1, 500, 0)), start, "protocol version 1 does not have");
        assertRefused(apply(start, 3, Consortium.rates(1, 0, 0)), start, "protocol version 1 does not have");
        assertRefused(
                apply(start, 3, Consortium.quota(1, 1), Consortium.add(rated)),
                start,
                "broker 9 has rates, which protocol version 1 does not have");
    }

    @Test
    void shouldRefuseAccountsOfAnother() {
        assertRefused(apply(start, 3, Consortium.accounts(1, 2, 2)), start, "account 2 belongs to broker");
    }

    /** Engines hold removed brokers, and end where one has such a quota. */
    @Test
    void shouldRefuseAQuotaThatNoEngineTakesOfARemovedBroker() {
        Change removal = Consortium.status(2, BrokerStatus.BROKER_REMOVED);
        for (int quota : new int[] {0, -1, Integer.MIN_VALUE}) {
            String fact = "broker 2: liveOrderCountMax " + Integer.toUnsignedString(quota) + ", expected 1..";
            assertRefused(apply(start, 3, Consortium.quota(2, quota), removal), start, fact);
            assertRefused(apply(start, 3, Consortium.quota(2, quota)), start, fact);
        }
        Change added = Consortium.add(consortium.newBroker(9, 900, 0));
        Change addedRemoval = Consortium.status(9, BrokerStatus.BROKER_REMOVED);
        assertRefused(apply(start, 3, added, addedRemoval), start, "broker 9: liveOrderCountMax 0, expected 1..");

        assertTrue(
                apply(start, 3, Consortium.quota(2, Integer.MAX_VALUE), removal).isExecuted(),
                "the room of the market is that of the others");
    }

    @Test
    void shouldFreeTheRoomOfARemovedBroker() {
        Membership removed = apply(start, 3, Consortium.status(2, BrokerStatus.BROKER_REMOVED))
                .membership();

        Broker heir = consortium.newBroker(9, 2, 400);
        assertTrue(apply(removed, 4, Consortium.add(heir)).isExecuted());
        assertRefused(
                apply(removed, 4, Consortium.status(2, BrokerStatus.BROKER_ACTIVE)), removed, "broker 2 was removed");
        assertEquals(2, removed.terms().getBrokersCount(), "nobody is forgotten");
    }

    @Test
    void shouldHaltAndResumeAnInstrument() {
        Membership halted = apply(start, 3, Consortium.halt(1, InstrumentStatus.INSTRUMENT_HALTED))
                .membership();
        assertEquals(
                InstrumentStatus.INSTRUMENT_HALTED,
                halted.terms().getInstruments(0).getStatus());
        Membership resumed = apply(halted, 4, Consortium.halt(1, InstrumentStatus.INSTRUMENT_TRADING))
                .membership();
        assertEquals(start.terms(), resumed.terms());
        assertNotEquals(start.digest(), resumed.digest());
    }

    @Test
    void shouldExecuteAllChangesOrNone() {
        Membership.Outcome outcome =
                apply(start, 3, Consortium.halt(1, InstrumentStatus.INSTRUMENT_HALTED), Consortium.revokeKey(7, 1));

        assertRefused(outcome, start, "change 2: no broker 7");
    }

    @ParameterizedTest
    @CsvSource({"0, expected 1", "2, expected 1", "-1, transaction 18446744073709551615"})
    void shouldExecuteNumbersInTurn(long number, String fact) {
        byte[] transaction = consortium.approved(number, List.of(Consortium.revokeKey(1, 1)), 0, 1, 2);

        assertRefused(start.apply(transaction, 3), start, fact);
    }

    @Test
    void shouldNotExecuteATransactionTwice() {
        byte[] transaction = consortium.approved(1, List.of(Consortium.revokeKey(1, 1)), 0, 1, 2);
        Membership after = start.apply(transaction, 3).membership();

        assertRefused(after.apply(transaction, 4), after, "transaction 1, expected 2");
    }

    @Test
    void shouldRequireAQuorum() {
        List<Change> changes = List.of(Consortium.revokeKey(1, 1));

        assertRefused(start.apply(consortium.approved(1, changes, 0, 2), 3), start, "nodes [0, 2], expected 3");
        assertTrue(start.apply(consortium.approved(1, changes, 3, 0, 2), 3).isExecuted());
    }

    @Test
    void shouldRefuseForgedApprovals() throws Exception {
        AdministrativeTransaction good = AdministrativeTransaction.parseFrom(
                consortium.approved(1, List.of(Consortium.revokeKey(1, 1)), 0, 1, 2));

        AdministrativeTransaction twice =
                good.toBuilder().setApprovals(2, good.getApprovals(0)).build();
        assertRefused(start.apply(twice.toByteArray(), 3), start, "approval of node 0 occurs twice");
        AdministrativeTransaction renamed = good.toBuilder()
                .setApprovals(2, good.getApprovals(2).toBuilder().setNodeId(3))
                .build();
        assertRefused(start.apply(renamed.toByteArray(), 3), start, "approval of node 3 is not signed by it");
        AdministrativeTransaction stranger = good.toBuilder()
                .setApprovals(2, good.getApprovals(2).toBuilder().setNodeId(4))
                .build();
        assertRefused(start.apply(stranger.toByteArray(), 3), start, "unknown node");
        AdministrativeTransaction other = good.toBuilder()
                .setTerms(AdministrativeTransaction.parseFrom(
                                consortium.approved(1, List.of(Consortium.revokeKey(2, 1)), 0))
                        .getTerms())
                .build();
        assertRefused(start.apply(other.toByteArray(), 3), start, "is not signed by it");
    }

    @Test
    void shouldRefuseWhatIsNoTransactionOfTheChain() {
        assertRefused(start.apply(new byte[] {1, 2, 3}, 3), start, "no transaction");
        assertRefused(start.apply(new byte[0], 3), start, "transaction of chain 0");
        assertRefused(start.apply(new byte[20_000], 3), start, "at most 16384");
        byte[] foreign = new Consortium(4, 78).approved(1, List.of(Consortium.revokeKey(1, 1)), 0, 1, 2);
        assertRefused(start.apply(foreign, 3), start, "transaction of chain 78, this is 77");
    }

    @Test
    void shouldRefuseAPointThatIsNotOnItsCurve() {
        Change change = consortium.addKey(1, 2);
        Change.Builder wrong = change.toBuilder();
        wrong.getAddKeyBuilder().getKeyBuilder().getKeyBuilder().setPoint(ByteString.copyFrom(new byte[64]));

        assertFalse(apply(start, 3, wrong.build()).isExecuted());
        assertTrue(apply(start, 3, change).isExecuted());
    }

    @Test
    void shouldRefuseWhatANewerBuildMayKnow() {
        UnknownFieldSet unknown = UnknownFieldSet.newBuilder()
                .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build();
        Change addKey = consortium.addKey(1, 2);
        Change.Builder inside = addKey.toBuilder();
        inside.getAddKeyBuilder().getKeyBuilder().setUnknownFields(unknown);

        String fact = "has fields that this build does not know: [99]";
        assertRefused(
                apply(start, 3, Change.newBuilder().setUnknownFields(unknown).build()), start, "Change " + fact);
        assertRefused(apply(start, 3, inside.build()), start, "BrokerKey " + fact);
    }

    /** A 0 that is written is a field to an older build, and nothing to the one that knows the field. */
    @Test
    void shouldRefuseAKnownFieldThatIsWrittenAsZero() {
        UnknownFieldSet zero = UnknownFieldSet.newBuilder()
                .addField(
                        Broker.BYTES_PER_SECOND_MAX_FIELD_NUMBER,
                        UnknownFieldSet.Field.newBuilder().addVarint(0).build())
                .build();
        Broker heir = consortium.newBroker(9, 9, 100);
        Change room = Consortium.quota(1, 500);

        assertTrue(apply(start, 3, room, Consortium.add(heir)).isExecuted());
        assertRefused(
                apply(
                        start,
                        3,
                        room,
                        Consortium.add(heir.toBuilder().setUnknownFields(zero).build())),
                start,
                "bytes, whose canonical encoding has");
    }

    @Test
    void shouldContinueAfterEncoding() {
        Membership before = apply(start, 17, consortium.addKey(1, 2)).membership();
        Membership restored = Membership.decode(consortium.genesis(), before.encode());

        Change revocation = Consortium.revokeKey(1, 1);
        Membership one = apply(before, 20, revocation).membership();
        Membership other = apply(restored, 20, revocation).membership();
        assertEquals(one.terms(), other.terms());
        assertEquals(one.digest(), other.digest());
        assertEquals(2, other.number());
        assertThrows(
                IllegalArgumentException.class,
                () -> Membership.decode(new Consortium(4, 78).genesis(), before.encode()));
    }

    @Test
    void shouldBindTheBlockOfEachTransaction() {
        byte[] transaction = consortium.approved(1, List.of(Consortium.revokeKey(1, 1)), 0, 1, 2);

        assertNotEquals(
                start.apply(transaction, 3).membership().digest(),
                start.apply(transaction, 4).membership().digest());
    }

    @Test
    void shouldRemoveAnAuditorForGood() {
        Membership added = apply(start, 3, consortium.addAuditor(5)).membership();
        Membership removed = apply(added, 4, Consortium.removeAuditor(5)).membership();

        assertRefused(apply(removed, 5, Consortium.removeAuditor(5)), removed, "auditor 5 was removed");
        assertRefused(apply(removed, 5, consortium.addAuditor(5)), removed, "auditor 5 occurs twice");
    }

    @Test
    void shouldEndTheEpochWhenANodeIsReplaced() {
        PublicKey before = start.terms().getNodes(2).getIdentity();
        Membership other = apply(start, 9, consortium.addKey(1, 2)).membership();
        assertEquals(0, other.epoch());

        Membership replaced = apply(other, 17, consortium.replaceNode(2)).membership();

        assertEquals(1, replaced.epoch());
        assertEquals(17, replaced.epochBlock());
        assertNotEquals(start.identity(2), replaced.identity(2));
        assertEquals(start.identity(1), replaced.identity(1));
        assertEquals(1, replaced.identityKeyId(2));
        assertEquals(start.identity(2), replaced.identity(2, 0).orElseThrow());
        assertEquals(replaced.identity(2), replaced.identity(2, 1).orElseThrow());
        assertTrue(replaced.identity(2, 2).isEmpty() && replaced.identity(4, 0).isEmpty());
        Membership decoded = Membership.decode(consortium.genesis(), replaced.encode());
        assertEquals(1, decoded.epoch());
        assertEquals(17, decoded.epochBlock());
        assertRefused(apply(decoded, 20, Consortium.replaceNode(1, before)), decoded, "is or was that of a node");
        assertRefused(
                apply(
                        decoded,
                        20,
                        Consortium.replaceNode(1, decoded.terms().getNodes(0).getIdentity())),
                decoded,
                "is or was that of a node");
    }

    @Test
    void shouldTakeApprovalsOfTheNewIdentityOnly() {
        Change change = consortium.replaceNode(3);
        Membership.Outcome own = apply(start, 4, change);
        assertRefused(own, start, "approval of node 3 is not signed by it");
        Membership replaced =
                start.apply(consortium.approved(1, List.of(change), 0, 1, 2), 4).membership();

        assertTrue(apply(replaced, 5, consortium.addKey(1, 2)).isExecuted());
    }

    @Test
    void shouldKnowThatFormerIdentitiesApproved() {
        byte[] before = consortium.approved(2, List.of(consortium.addKey(1, 2)), 0, 2, 3);
        byte[] few = consortium.approved(2, List.of(consortium.addKey(1, 2)), 2, 3);
        Change change = consortium.replaceNode(2);
        Membership replaced = apply(start, 4, change).membership();

        assertRefused(replaced.apply(before, 5), replaced, "approval of node 2 is not signed by it");
        assertEquals(Set.of(0, 2, 3), replaced.approvedAtSomeTime(before).approvers());
        byte[] after = consortium.approved(2, List.of(consortium.addKey(1, 2)), 0, 2, 3);
        assertEquals(Set.of(0, 2, 3), replaced.approvedAtSomeTime(after).approvers());
        assertThrows(IllegalArgumentException.class, () -> replaced.approvedAtSomeTime(few));
    }

    @Test
    void shouldEndOneEpochForABlock() {
        Membership replaced = start.apply(
                        consortium.approved(1, List.of(consortium.replaceNode(2), consortium.replaceNode(2)), 0, 1, 3),
                        6)
                .membership();
        Membership again =
                apply(replaced, 6, Consortium.parameters(interval(8))).membership();
        Membership later = apply(again, 7, Consortium.parameters(interval(4))).membership();

        assertEquals(1, replaced.epoch());
        assertEquals(1, again.epoch());
        assertEquals(2, later.epoch());
        assertEquals(7, later.epochBlock());
    }

    @Test
    void shouldCountAnAddedNodeAndForgetNoKeyOfARemovedOne() {
        Membership five = apply(start, 4, consortium.addNode(4)).membership();

        assertEquals(5, five.terms().getNodesCount());
        assertEquals(1, five.epoch());
        assertEquals(4, five.epochBlock());
        assertEquals(4, five.quorum());
        assertEquals(0, five.identityKeyId(4));
        byte[] ofThree = consortium.approved(2, List.of(consortium.addKey(1, 2)), 0, 1, 2);
        assertRefused(five.apply(ofThree, 5), five, "approved by nodes [0, 1, 2], expected 4 nodes");
        assertEquals(Set.of(0, 1, 2), five.approvedAtSomeTime(ofThree).approvers());
        byte[] ofFour = consortium.approved(2, List.of(Consortium.removeNode(4)), 0, 1, 2, 4);
        Membership four = five.apply(ofFour, 6).membership();

        assertEquals(2, four.epoch());
        assertEquals(3, four.quorum());
        assertFalse(four.hasNode(4));
        assertEquals(5, four.formerNodeCount());
        assertEquals(five.identity(4), four.identity(4, 0).orElseThrow());
        assertTrue(four.identity(4, 1).isEmpty());
        assertThrows(IndexOutOfBoundsException.class, () -> four.identityKeyId(4));
        assertEquals(Set.of(0, 1, 2, 4), four.approvedAtSomeTime(ofFour).approvers());
        Membership decoded = Membership.decode(consortium.genesis(), four.encode());
        assertRefused(
                apply(decoded, 8, Consortium.addNode(4, five.terms().getNodes(4).getIdentity())),
                decoded,
                "is or was that of a node");
        Membership again = apply(decoded, 8, consortium.addNode(4)).membership();
        assertEquals(1, again.identityKeyId(4));
        assertEquals(again.identity(4), again.identity(4, 1).orElseThrow());
        assertEquals(five.identity(4), again.identity(4, 0).orElseThrow());
    }

    @Test
    void shouldKeepTheNumberOfNodesInItsBounds() {
        assertRefused(apply(start, 4, Consortium.removeNode(3)), start, "agreement needs 4");
        assertRefused(apply(start, 4, Consortium.removeNode(0)), start, "only the last one can be, which is node 3");
        Membership many = start;
        for (int id = 4; id < Membership.NODES_MAX; id++) {
            many = apply(many, id, consortium.addNode(id)).membership();
        }
        assertEquals(9, many.quorum());
        assertRefused(apply(many, 20, consortium.addNode(13)), many, "there are 13 nodes, at most 13");
        assertRefused(apply(start, 4, consortium.addNode(5)), start, "node 5 added, the next one is node 4");
    }

    @Test
    void shouldRefuseAnEpochThatNodesCannotName() throws Exception {
        byte[] last = MembershipState.parseFrom(start.encode()).toBuilder()
                .setEpoch(Membership.EPOCH_MAX)
                .setEpochBlock(5)
                .build()
                .toByteArray();
        Membership before = Membership.decode(consortium.genesis(), last);

        assertRefused(apply(before, 6, Consortium.parameters(interval(8))), before, "epoch 65535 is the last one");
        assertTrue(apply(before, 6, consortium.addKey(1, 2)).isExecuted());
    }

    private static SetParameters interval(int blocks) {
        return SetParameters.newBuilder().setCheckpointInterval(blocks).build();
    }

    @Test
    void shouldChangeOnlyTheParametersThatAreNamed() {
        Parameters before = start.terms().getParameters();
        SetParameters change = SetParameters.newBuilder()
                .setBlockMaxBatches(7)
                .setRequestTimeoutMs(900)
                .build();

        Membership changed = apply(start, 4, Consortium.parameters(change)).membership();

        assertEquals(
                before.toBuilder()
                        .setBlockMaxBatches(7)
                        .setRequestTimeoutMs(900)
                        .build(),
                changed.terms().getParameters());
        assertRefused(
                apply(changed, 5, Consortium.parameters(SetParameters.getDefaultInstance())),
                changed,
                "sets no parameter");
        assertRefused(apply(changed, 5, Consortium.parameters(interval(100))), changed, "logWindow 128 is below twice");
        assertRefused(
                apply(changed, 5, Consortium.parameters(interval(-1))),
                changed,
                "checkpointInterval 4294967295, expected 1..2048");
    }
}
