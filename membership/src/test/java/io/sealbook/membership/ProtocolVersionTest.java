package io.sealbook.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.MembershipState;
import io.sealbook.protocol.v1.SetParameters;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtocolVersionTest {
    private final Consortium consortium = new Consortium(4);
    private final Membership start = Membership.of(consortium.genesis());

    @Test
    void shouldRaiseTheVersionByOneAtTheEndOfAnEpoch() {
        assertEquals(ProtocolVersion.OLDEST, start.protocolVersion());

        Membership raised = apply(start, 7, version(2)).membership();

        assertEquals(2, raised.protocolVersion());
        assertEquals(1, raised.epoch());
        assertEquals(7, raised.epochBlock());
    }

    @Test
    void shouldRefuseAnyOtherVersion() {
        assertRefused(apply(start, 7, version(1)), "protocolVersion 1, the next one is 2");
        assertRefused(apply(start, 7, version(3)), "protocolVersion 3, the next one is 2");
        assertRefused(apply(start, 7, version(-1)), "protocolVersion 4294967295, the next one is 2");
    }

    @Test
    void shouldRaiseTheVersionByATransactionOfItsOwn() {
        String fact = "protocolVersion is set beside other changes";

        assertRefused(apply(start, 7, version(2), consortium.addKey(1, 2)), fact);
        assertRefused(apply(start, 7, consortium.addKey(1, 2), version(2)), fact);
        assertRefused(
                apply(
                        start,
                        7,
                        Consortium.parameters(SetParameters.newBuilder()
                                .setProtocolVersion(2)
                                .setBlockMaxBatches(7)
                                .build())),
                fact);
    }

    @Test
    void shouldStopBeforeRulesThatThisBuildDoesNotFollow() {
        Membership newest = atVersion(ProtocolVersion.NEWEST);
        byte[] next = consortium.approved(1, List.of(version(ProtocolVersion.NEWEST + 1)), 0, 1, 2);
        byte[] few = consortium.approved(1, List.of(version(ProtocolVersion.NEWEST + 1)), 0, 1);

        UnknownProtocolVersionException stop =
                assertThrows(UnknownProtocolVersionException.class, () -> newest.apply(next, 9));

        assertTrue(stop.getMessage().contains("protocol version " + (ProtocolVersion.NEWEST + 1)), stop.getMessage());
        assertThrows(UnknownProtocolVersionException.class, () -> atVersion(ProtocolVersion.NEWEST + 1));
        assertRefused(newest.apply(few, 9), "approved by nodes [0, 1], expected 3 nodes");
    }

    private Membership atVersion(int version) {
        try {
            MembershipState.Builder state = MembershipState.parseFrom(start.encode()).toBuilder();
            state.getTermsBuilder().getParametersBuilder().setProtocolVersion(version);
            return Membership.decode(consortium.genesis(), state.build().toByteArray());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private Membership.Outcome apply(Membership before, long block, Change... changes) {
        return before.apply(consortium.approved(before.number() + 1, List.of(changes), 0, 1, 2), block);
    }

    private static Change version(int version) {
        return Consortium.parameters(
                SetParameters.newBuilder().setProtocolVersion(version).build());
    }

    private static void assertRefused(Membership.Outcome outcome, String fact) {
        assertFalse(outcome.isExecuted());
        assertTrue(outcome.refusal().contains(fact), outcome.refusal());
    }
}
