package io.sealbook.consensus.execution;

import io.sealbook.archive.Block;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.Digest;
import java.util.Map;
import java.util.Set;

/**
 * Engines that trade nothing: each chains a digest over the Merkle roots of blocks. The setting {@code wrong-from}
 * names the first block after which the digest is another one.
 */
public final class ChainedDigestProvider implements InProcessEngineProvider {
    private static final String WRONG_FROM = "wrong-from";

    @Override
    public String name() {
        return "chained-digest";
    }

    @Override
    public InProcessEngine open(GenesisFile genesis, Map<String, String> settings) {
        if (!Set.of(WRONG_FROM).containsAll(settings.keySet())) {
            throw new IllegalArgumentException("unknown settings " + settings.keySet());
        }
        long wrongFrom = Long.parseLong(settings.getOrDefault(WRONG_FROM, Long.toString(Long.MAX_VALUE)));
        return new InProcessEngine() {
            private Digest digest = Digest.ZERO;

            @Override
            public Digest execute(Block block) {
                digest = next(digest, block);
                if (block.header().sequence() == wrongFrom) {
                    digest = Digest.sha256(digest.bytes(), new byte[] {1});
                }
                return digest;
            }
        };
    }

    /** Returns the digest after a block. */
    public static Digest next(Digest before, Block block) {
        return Digest.sha256(before.bytes(), block.header().merkleRoot().bytes());
    }
}
