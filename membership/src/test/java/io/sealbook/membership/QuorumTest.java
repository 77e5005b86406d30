package io.sealbook.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuorumTest {
    @ParameterizedTest
    @CsvSource({"4,3", "5,4", "6,4", "7,5", "8,6", "9,6", "10,7"})
    void shouldAskForQuorumThatAlwaysSharesAnHonestNode(int nodes, int quorum) {
        int f = (nodes - 1) / 3;

        assertEquals(quorum, ApprovedTerms.quorum(nodes));
        assertTrue(2 * quorum - nodes >= f + 1);
        assertTrue(quorum <= nodes - f);
    }
}
