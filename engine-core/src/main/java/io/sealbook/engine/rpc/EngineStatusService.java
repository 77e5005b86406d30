package io.sealbook.engine.rpc;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.ExecutedBlock;
import io.sealbook.engine.monitor.Totals;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.GetEngineStatusRequest;

/** Returns the last executed block, its digest and the totals. */
public final class EngineStatusService extends EngineStatusGrpc.EngineStatusImplBase {
    private final EngineMonitor monitor;

    public EngineStatusService(EngineMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public void getEngineStatus(GetEngineStatusRequest request, StreamObserver<EngineState> response) {
        EngineState.Builder state = EngineState.newBuilder();
        // Block, digest and totals are taken from one block where there is one, so that a reader may compare engines.
        monitor.lastBlock()
                .ifPresentOrElse(
                        block -> describe(state, block),
                        () -> state.setLastExecuted(monitor.lastExecuted())
                                .setResultDigest(ByteString.copyFrom(
                                        monitor.resultDigest().bytes())));
        Totals totals = monitor.totals();
        response.onNext(state.setMembership(monitor.membership())
                .setOrders(totals.orders())
                .setTrades(totals.trades())
                .setReports(totals.reports())
                .setRejected(totals.rejected())
                .setLastSnapshot(monitor.lastSnapshot())
                .setPersistedBlock(monitor.persistedBlock())
                .build());
        response.onCompleted();
    }

    private static void describe(EngineState.Builder state, ExecutedBlock block) {
        state.setLastExecuted(block.sequence())
                .setResultDigest(ByteString.copyFrom(block.resultDigest().bytes()))
                .setLastBlockTimeNs(block.blockTimeNs());
    }
}
