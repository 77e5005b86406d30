package io.sealbook.spring;

import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/** Reports that differ in what tests look at. */
final class SampleReports {
    private SampleReports() {}

    static ExecutionReport report(long sequence, ExecType type) {
        return report(sequence, type, 0);
    }

    static ExecutionReport report(long sequence, ExecType type, long transactTimeNs) {
        return new ExecutionReport(
                sequence,
                7,
                1,
                sequence,
                0,
                100 + sequence,
                0,
                5,
                10,
                0,
                0,
                10,
                0,
                0,
                transactTimeNs,
                1,
                1,
                1,
                0,
                0,
                Action.NEW,
                Side.BUY,
                OrdType.LIMIT,
                TimeInForce.values()[0],
                type,
                OrdStatus.NEW,
                RejectReason.values()[0]);
    }
}
