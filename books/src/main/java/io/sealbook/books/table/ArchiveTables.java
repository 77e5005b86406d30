package io.sealbook.books.table;

import io.sealbook.archive.Block;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.order.FixNames;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/** The tables over a node's archive: what was agreed. */
final class ArchiveTables {
    private static final List<Column<Block>> BLOCKS = List.of(
            Column.number("block", block -> block.header().sequence()),
            Column.number("view", block -> block.header().view()),
            Column.number("time_ns", block -> block.header().blockTimeNs()),
            Column.place("batches", Block::batchCount),
            Column.place("bytes", Block::length),
            Column.text("hash", block -> block.hash().hex()),
            Column.text("previous_hash", block -> block.header().previousHash().hex()),
            Column.text("merkle_root", block -> block.header().merkleRoot().hex()));

    private static final List<Column<ArchivedBatch>> BATCHES = List.of(
            Column.number("block", batch -> batch.block().header().sequence()),
            Column.place("batch", ArchivedBatch::index),
            Column.text(
                    "batch_id", batch -> batch.block().batchId(batch.index()).hex()),
            Column.id("broker_id", batch -> batch.view().brokerId()),
            Column.place("key_id", batch -> batch.view().keyId()),
            Column.place("session", batch -> batch.view().session()),
            Column.number("number", batch -> batch.view().number()),
            Column.number("valid_until_block", batch -> batch.view().validUntilBlock()),
            Column.place("orders", batch -> batch.view().orderCount()),
            Column.place("bytes", batch -> batch.block().batchLength(batch.index())),
            Column.number("sent_time_ns", batch -> batch.view().sentTimeNs()));

    private static final List<Column<ArchivedOrder>> ENTRIES = List.of(
            Column.number("block", order -> order.place().sequence()),
            Column.place("batch", order -> order.place().batchIndex()),
            Column.place("entry", order -> order.place().orderIndex()),
            Column.number("time_ns", ArchivedOrder::blockTimeNs),
            Column.id("broker_id", ArchivedOrder::brokerId),
            Column.longId("cl_ord_id", order -> order.fields().clOrdId()),
            Column.longId("orig_cl_ord_id", order -> order.fields().origClOrdId()),
            Column.id("account_id", order -> order.fields().accountId()),
            Column.id("instrument_id", order -> order.fields().instrumentId()),
            Column.text("action", order -> FixNames.action(order.fields().action())),
            Column.text("side", order -> FixNames.side(order.fields().side())),
            Column.text("ord_type", order -> FixNames.ordType(order.fields().ordType())),
            Column.text(
                    "time_in_force",
                    order -> FixNames.timeInForce(order.fields().timeInForce())),
            Column.number("price", order -> order.fields().priceTicks()),
            Column.number("quantity", order -> order.fields().quantityLots()));

    private ArchiveTables() {}

    /** Returns one row per block. */
    static BookTable<Block> blocks(Path archive) {
        return new BookTable<>(
                "blocks",
                BLOCKS,
                span -> new ArchiveRows<>(archive, span, block -> List.of(block).iterator()));
    }

    /** Returns one row per signed batch. */
    static BookTable<ArchivedBatch> batches(Path archive) {
        return new BookTable<>(
                "batches",
                BATCHES,
                span -> new ArchiveRows<>(
                        archive,
                        span,
                        block -> IntStream.range(0, block.batchCount())
                                .mapToObj(i -> ArchivedBatch.of(block, i))
                                .iterator()));
    }

    /** Returns one row per signed entry: a new order, a cancel or a replace. */
    static BookTable<ArchivedOrder> entries(Path archive) {
        return new BookTable<>("entries", ENTRIES, span -> new ArchiveRows<>(archive, span, ArchiveTables::entriesOf));
    }

    private static Iterator<ArchivedOrder> entriesOf(Block block) {
        BlockOrders orders = new BlockOrders();
        return IntStream.range(0, block.batchCount())
                .boxed()
                .flatMap(i -> orders.of(block, i).stream())
                .iterator();
    }
}
