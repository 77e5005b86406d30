package io.sealbook.chaos.audit;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.order.OrderFields;
import io.sealbook.chaos.history.BatchName;
import io.sealbook.chaos.history.BatchPlace;
import io.sealbook.chaos.history.ChainBatch;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads the archives of all nodes and compares them byte by byte. */
public final class ChainReader {
    private final BlockOrders blockOrders = new BlockOrders();
    private final BatchView header = new BatchView();

    private ChainReader() {}

    /**
     * Returns the chain.
     *
     * @param archives directories of stopped nodes that have the same last block
     * @param findings takes the differences
     * @return the batches of the first archive, in the order of execution
     */
    public static List<ChainBatch> read(List<Path> archives, Findings findings) {
        List<ArchiveReader> readers = new ArrayList<>();
        try {
            archives.forEach(archive -> readers.add(ArchiveReader.open(archive)));
            return new ChainReader().compare(archives, readers, findings);
        } finally {
            readers.forEach(ArchiveReader::close);
        }
    }

    private List<ChainBatch> compare(List<Path> archives, List<ArchiveReader> readers, Findings findings) {
        List<ChainBatch> batches = new ArrayList<>();
        long last =
                readers.stream().mapToLong(ArchiveReader::lastSequence).max().orElseThrow();
        for (long sequence = readers.get(0).firstSequence(); sequence <= last; sequence++) {
            Optional<byte[]> first = readers.get(0).read(sequence);
            for (int i = 1; i < readers.size(); i++) {
                Optional<byte[]> other = readers.get(i).read(sequence);
                if (first.isEmpty() || other.isEmpty() || !Arrays.equals(first.get(), other.get())) {
                    findings.add(
                            Rule.SAME_EVERYWHERE,
                            "block " + sequence + " differs: " + describe(archives.get(0), first) + ", "
                                    + describe(archives.get(i), other));
                }
            }
            first.ifPresent(bytes -> add(Block.wrap(bytes), batches));
        }
        return batches;
    }

    private static String describe(Path archive, Optional<byte[]> block) {
        return archive
                + (block.isEmpty()
                        ? " lacks it"
                        : " has " + Block.wrap(block.get()).hash().hex());
    }

    private void add(Block block, List<ChainBatch> batches) {
        String hash = block.hash().hex();
        for (int i = 0; i < block.batchCount(); i++) {
            header.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
            batches.add(new ChainBatch(
                    new BatchPlace(block.header().sequence(), i),
                    new BatchName(header.brokerId(), header.session(), header.number()),
                    hash,
                    blockOrders.of(block, i).stream()
                            .map(ArchivedOrder::fields)
                            .map(ChainReader::order)
                            .toList()));
        }
    }

    private static Order order(OrderFields fields) {
        return new Order(
                Action.get(fields.action()),
                fields.clOrdId(),
                fields.origClOrdId(),
                fields.accountId(),
                fields.instrumentId(),
                Side.get(fields.side()),
                OrdType.get(fields.ordType()),
                TimeInForce.get(fields.timeInForce()),
                fields.priceTicks(),
                fields.quantityLots());
    }
}
