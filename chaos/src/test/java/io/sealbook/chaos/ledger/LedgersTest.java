package io.sealbook.chaos.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.chaos.broker.SeededOrders;
import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgersTest {
    private static final ExecutionReport REPORT = ExecutionReport.builder()
            .reportSequence(1)
            .blockSequence(2)
            .orderId(3)
            .execId(4)
            .tradeId(5)
            .clOrdId(6)
            .origClOrdId(7)
            .price(8)
            .quantity(9)
            .lastPx(10)
            .lastQty(11)
            .leavesQty(12)
            .cumQty(13)
            .cumValue(14)
            .transactTimeNs(15)
            .brokerId(16)
            .accountId(17)
            .instrumentId(18)
            .batchIndex(19)
            .orderIndex(20)
            .action(Action.REPLACE)
            .side(Side.SELL)
            .timeInForce(TimeInForce.GOOD_TILL_CANCEL)
            .execType(ExecType.TRADE)
            .ordStatus(OrdStatus.FILLED)
            .rejectReason(RejectReason.NULL_VAL)
            .build();

    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatEachRunWrote() throws IOException {
        List<LedgerEntry> first = List.of(
                new LedgerEntry.ProgramStart(1, 0, 1, 1),
                new LedgerEntry.SubmittedBatch(2, 0, 25, new SeededOrders(3, 1, 3).batch(25)),
                new LedgerEntry.Acknowledgement(3, 0, 25, 7, 2, "ab"));
        List<LedgerEntry> second = List.of(
                new LedgerEntry.FailedBatch(4, 1, 26, "no node answered"), new LedgerEntry.SeenReport(5, REPORT));
        write(first);
        write(second);

        assertThat(Ledgers.read(directory)).containsExactly(first, second);
    }

    @Test
    void shouldLeaveOutTheLineAtWhichAProgramWasKilled() throws IOException {
        List<LedgerEntry> whole = List.of(new LedgerEntry.ProgramStart(1, 0, 1, 1));
        write(whole);
        Files.writeString(directory.resolve("ledger-0001"), "receipt 3 0 25 7", StandardOpenOption.APPEND);

        assertThat(Ledgers.read(directory)).containsExactly(whole);
    }

    @Test
    void shouldRefuseAWholeLineThatIsNoEntry() throws IOException {
        Files.writeString(directory.resolve("ledger-0001"), "receipt 3 0 25 7\n");

        assertThatThrownBy(() -> Ledgers.read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ledger-0001");
    }

    private void write(List<LedgerEntry> entries) throws IOException {
        try (LedgerWriter ledger = Ledgers.createNext(directory)) {
            entries.forEach(ledger::write);
        }
    }
}
