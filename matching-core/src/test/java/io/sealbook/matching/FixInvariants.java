package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What FIX says of any stream of execution reports, checked over the whole life of every order. */
final class FixInvariants {
    private final Map<Long, Report> lastOfOrder = new HashMap<>();
    private final Map<Integer, Long> lastSequences = new HashMap<>();
    private long lastExecId;

    void check(List<Object> outputs) {
        for (Object output : outputs) {
            if (output instanceof Report report) {
                check(report);
            }
        }
    }

    private void check(Report r) {
        assertThat(r.execId()).isEqualTo(++lastExecId);
        assertThat(r.reportSequence()).isEqualTo(lastSequences.merge(r.brokerId(), 1L, Long::sum));
        if (r.execType() == ExecType.MASS_CANCEL_REPORT) {
            assertThat(r.orderId()).isZero();
            assertThat(r.ordStatus()).isEqualTo(r.leavesQty() == 0 ? OrdStatus.CANCELED : OrdStatus.NEW);
            return;
        }
        if (r.orderId() == 0) {
            assertThat(r.ordStatus()).isEqualTo(OrdStatus.REJECTED);
            assertThat(r.leavesQty()).isZero();
            return;
        }
        Report before =
                r.execType() == ExecType.CANCEL_REJECT ? lastOfOrder.get(r.orderId()) : lastOfOrder.put(r.orderId(), r);
        boolean isLive = r.ordStatus() == OrdStatus.NEW || r.ordStatus() == OrdStatus.PARTIALLY_FILLED;
        if (isLive) {
            assertThat(r.cumQty() + r.leavesQty()).as("Cum + Leaves of " + r).isEqualTo(r.quantity());
            assertThat(r.leavesQty()).isPositive();
        } else {
            assertThat(r.leavesQty()).as("Leaves of " + r).isZero();
        }
        if (before == null) {
            assertThat(r.execType()).isEqualTo(ExecType.NEW);
            return;
        }
        assertThat(before.ordStatus()).as("before " + r).isIn(OrdStatus.NEW, OrdStatus.PARTIALLY_FILLED);
        assertThat(r.cumQty() - before.cumQty()).isEqualTo(r.lastQty());
        assertThat(r.cumValue() - before.cumValue()).isEqualTo(r.lastQty() * r.lastPx());
    }
}
