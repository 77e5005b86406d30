package io.sealbook.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A chain has thousands of transactions and of keys: the memberships of all of them are in memory at a start. */
class MemberKeysTest {
    private static final int TRANSACTIONS = 20;

    private final Consortium consortium = new Consortium(4);
    private final Membership start = Membership.of(consortium.genesis());

    private Membership apply(Membership before, Change change) {
        Membership.Outcome outcome =
                before.apply(consortium.approved(before.number() + 1, List.of(change), 0, 1, 3), before.number() + 1);
        assertEquals("", outcome.refusal());
        return outcome.membership();
    }

    @Test
    void shouldShareAllKeysIfATransactionChangesNone() {
        Membership last = start;
        for (int i = 0; i < TRANSACTIONS; i++) {
            BrokerStatus status = i % 2 == 0 ? BrokerStatus.BROKER_SUSPENDED : BrokerStatus.BROKER_ACTIVE;
            last = apply(last, Consortium.status(1, status));
        }

        assertSame(start.key(1, 1).orElseThrow(), last.key(1, 1).orElseThrow());
        assertSame(start.key(2, 1).orElseThrow(), last.key(2, 1).orElseThrow());
        assertSame(start.identity(3), last.identity(3));
    }

    @Test
    void shouldShareTheKeysThatATransactionDoesNotChange() {
        Membership added = apply(start, consortium.addKey(1, 2));
        Membership revoked = apply(added, Consortium.revokeKey(1, 1));

        assertTrue(start.key(1, 2).isEmpty());
        assertSame(start.key(2, 1).orElseThrow(), revoked.key(2, 1).orElseThrow());
        assertSame(added.key(1, 2).orElseThrow(), revoked.key(1, 2).orElseThrow());
        assertNotSame(added.key(1, 1).orElseThrow(), revoked.key(1, 1).orElseThrow());
        assertSame(
                added.key(1, 1).orElseThrow().key(),
                revoked.key(1, 1).orElseThrow().key());
        assertEquals(2, revoked.key(1, 1).orElseThrow().untilBlock());
    }

    @Test
    void shouldTakeTheNewKeysOfNodes() {
        Membership replaced = apply(start, consortium.replaceNode(2));
        Membership grown = apply(replaced, consortium.addNode(4));

        assertEquals(start.identity(2), replaced.identity(2, 0).orElseThrow());
        assertEquals(1, replaced.identityKeyId(2));
        assertTrue(grown.hasNode(4));
        assertEquals(5, grown.formerNodeCount());
        assertSame(start.key(1, 1).orElseThrow(), grown.key(1, 1).orElseThrow());
    }
}
