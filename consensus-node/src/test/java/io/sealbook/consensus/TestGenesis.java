package io.sealbook.consensus;

import io.sealbook.consensus.testnet.InstrumentSpec;
import io.sealbook.consensus.testnet.TestnetPlan;
import io.sealbook.consensus.testnet.TestnetWriter;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Parameters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The directories of four nodes and one broker for tests of parts of a node: no process listens on their ports. */
final class TestGenesis {
    static final long CHAIN_ID = 4711;
    private static final int BASE_PORT = 7100;

    private TestGenesis() {}

    /** Writes the directories and returns the genesis file. */
    static GenesisFile write(Path directory) throws IOException {
        return write(directory, BASE_PORT);
    }

    /**
     * Writes the directories.
     *
     * @param directory empty
     * @param basePort first of ten ports per node
     * @param nodeProperties further lines of every node.properties
     * @return the genesis file
     */
    static GenesisFile write(Path directory, int basePort, String... nodeProperties) throws IOException {
        TestnetPlan plan = new TestnetPlan(
                CHAIN_ID,
                List.of("127.0.0.1"),
                4,
                basePort,
                10,
                "127.0.0.1",
                SignatureScheme.SM2_SM3,
                List.of(SignatureScheme.SM2_SM3),
                List.of(),
                List.of(InstrumentSpec.parse("1:TEST:2:1:200000:1000000")),
                Parameters.newBuilder()
                        .setSessionsPerBroker(TestBroker.SESSIONS)
                        .build(),
                false,
                List.of(nodeProperties));
        return new TestnetWriter(directory, plan).write(false);
    }
}
