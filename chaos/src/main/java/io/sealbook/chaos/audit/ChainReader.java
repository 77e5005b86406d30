package io.sealbook.chaos.audit;

import io.sealbook.archive.ArchiveException;
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
import java.util.stream.Collectors;

/** Reads the archives of all nodes and compares them byte by byte. */
public final class ChainReader {
    private final BlockOrders blockOrders = new BlockOrders();
    private final BatchView header = new BatchView();

    private ChainReader() {}

    /**
     * Returns the chain. An archive or a block that cannot be read is a finding, as one that is missing.
     *
     * @param archives directories of stopped nodes that have the same last block
     * @param findings takes the differences
     * @return the batches in the order of execution; those of each block from the first archive that has it whole
     */
    public static List<ChainBatch> read(List<Path> archives, Findings findings) {
        List<Copy> copies = new ArrayList<>();
        try {
            archives.forEach(archive -> open(archive, findings).ifPresent(copies::add));
            return new ChainReader().compare(copies, findings);
        } finally {
            copies.forEach(copy -> copy.reader.close());
        }
    }

    private static Optional<Copy> open(Path archive, Findings findings) {
        try {
            return Optional.of(new Copy(archive, ArchiveReader.open(archive)));
        } catch (ArchiveException e) {
            findings.add(Rule.SAME_EVERYWHERE, archive + " cannot be opened: " + e.getMessage());
            return Optional.empty();
        }
    }

    private List<ChainBatch> compare(List<Copy> copies, Findings findings) {
        List<ChainBatch> batches = new ArrayList<>();
        long first = copies.stream()
                .mapToLong(copy -> copy.reader.firstSequence())
                .min()
                .orElse(1);
        long last = copies.stream()
                .mapToLong(copy -> copy.reader.lastSequence())
                .max()
                .orElse(0);
        for (long sequence = first; sequence <= last; sequence++) {
            List<BlockCopy> blocks = new ArrayList<>();
            for (Copy copy : copies) {
                blocks.add(copy.read(sequence));
            }
            Optional<byte[]> whole =
                    blocks.stream().flatMap(each -> each.bytes.stream()).findFirst();
            if (whole.isEmpty() || !blocks.stream().allMatch(each -> each.is(whole.get()))) {
                findings.add(
                        Rule.SAME_EVERYWHERE,
                        "block " + sequence + " differs: "
                                + blocks.stream().map(BlockCopy::describe).collect(Collectors.joining(", ")));
            }
            whole.ifPresent(bytes -> add(Block.wrap(bytes), batches));
        }
        return batches;
    }

    /** The archive of one node. */
    private record Copy(Path archive, ArchiveReader reader) {
        BlockCopy read(long sequence) {
            try {
                return new BlockCopy(archive, reader.read(sequence), "lacks it");
            } catch (ArchiveException e) {
                return new BlockCopy(archive, Optional.empty(), "cannot read it (" + e.getMessage() + ")");
            }
        }
    }

    /**
     * A block in the archive of one node.
     *
     * @param bytes empty if it is not there, or damaged
     * @param absence says which of the two
     */
    private record BlockCopy(Path archive, Optional<byte[]> bytes, String absence) {
        boolean is(byte[] expected) {
            return bytes.isPresent() && Arrays.equals(bytes.get(), expected);
        }

        String describe() {
            return archive + " "
                    + bytes.map(whole -> "has " + Block.wrap(whole).hash().hex())
                            .orElse(absence);
        }
    }

    private void add(Block block, List<ChainBatch> batches) {
        String hash = block.hash().hex();
        for (int i = 0; i < block.batchCount(); i++) {
            header.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
            batches.add(new ChainBatch(
                    new BatchPlace(block.header().sequence(), i),
                    new BatchName(header.brokerId(), header.session(), header.number()),
                    hash,
                    header.validUntilBlock(),
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
