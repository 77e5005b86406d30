package io.sealbook.spring;

import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.ExecType;

/** Reports that differ in what tests look at. */
final class SampleReports {
    private SampleReports() {}

    static ExecutionReport report(long sequence, ExecType type) {
        return report(sequence, type, 0);
    }

    static ExecutionReport report(long sequence, ExecType type, long transactTimeNs) {
        return ExecutionReport.builder()
                .reportSequence(sequence)
                .blockSequence(7)
                .orderId(1)
                .execId(sequence)
                .clOrdId(100 + sequence)
                .price(5)
                .quantity(10)
                .leavesQty(10)
                .transactTimeNs(transactTimeNs)
                .brokerId(1)
                .accountId(1)
                .instrumentId(1)
                .execType(type)
                .build();
    }
}
