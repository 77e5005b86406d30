package com.example.bank;

import io.sealbook.engine.output.BlockEnd;
import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.spring.engine.EngineFailedEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Counts the outputs of each block; fails on request at the end of one. */
@Component
class DropCopy implements OutputConsumer {
    final List<Block> blocks = new CopyOnWriteArrayList<>();
    final List<Long> begins = new CopyOnWriteArrayList<>();
    final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final long failAt;
    private int reports;
    private int trades;

    record Block(long sequence, int reports, int trades) {}

    DropCopy(@Value("${bank.fail-at:0}") long failAt) {
        this.failAt = failAt;
    }

    @Override
    public boolean readsReports() {
        return true;
    }

    @Override
    public void onBegin(long afterBlock, boolean areReplaced) {
        begins.add(afterBlock);
    }

    @Override
    public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
        reports++;
    }

    @Override
    public void onTrade(int index, TradeDecoder trade) {
        trades++;
    }

    @Override
    public void onBlockEnd(BlockEnd end) {
        if (end.block().sequence() == failAt) {
            throw new IllegalArgumentException("the bank's ledger is full");
        }
        blocks.add(new Block(end.block().sequence(), reports, trades));
        reports = 0;
        trades = 0;
    }

    @EventListener
    void on(EngineFailedEvent failed) {
        failure.complete(failed.failure());
    }
}
