package io.sealbook.engine.persistence;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.RejectReason;

/** An entry that the engine refused. Ids are unsigned. */
public record RefusalRecord(
        long blockSequence,
        int outputIndex,
        long brokerId,
        long clOrdId,
        long accountId,
        long instrumentId,
        Action action,
        RejectReason rejectReason,
        long timeNs) {}
