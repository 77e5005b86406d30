package io.sealbook.perf.inline;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What the matching core comes to on the blocks of an archive.
 *
 * @param sequence the last block
 * @param result the core's result digest after it, which the separated engine and the core inside a node agree on
 * @param reports digest over the core's reports, which the contract engine agrees on
 * @param reportCount their number
 * @param refused orders that the core refused
 * @param trades that the core made
 */
public record ChainReplay(long sequence, Digest result, Digest reports, long reportCount, long refused, long trades) {
    /**
     * Executes the blocks of an archive.
     *
     * @param archive of a node that has stopped
     * @param genesis of its market
     * @param last block to execute, at most the archive's last
     */
    public static ChainReplay of(Path archive, Genesis genesis, long last) throws IOException {
        ReportChain chain = new ReportChain();
        CoreExecution core = new CoreExecution(genesis, chain);
        Digest result = Digest.ZERO;
        Digest reports = Digest.ZERO;
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            for (long sequence = 1; sequence <= last; sequence++) {
                long missing = sequence;
                Block block = Block.wrap(
                        reader.read(sequence).orElseThrow(() -> new IOException(archive + " has no block " + missing)));
                result = core.execute(block);
                reports = chain.endBlock();
            }
        }
        return new ChainReplay(last, result, reports, chain.reports(), chain.refused(), chain.trades());
    }
}
