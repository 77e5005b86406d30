package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.cluster.TestCluster;
import io.sealbook.client.sample.SampleBroker;
import io.sealbook.crypto.KeyFile;
import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleBrokerTest extends ClusterTest {
    private static final String SOURCE = "src/main/java/io/sealbook/client/sample/SampleBroker.java";
    private static final int LINES_MAX = 50;

    @TempDir
    Path root;

    @Test
    void shouldTradeFromABrokersDirectory() throws Exception {
        Path directory = Files.createDirectory(root.resolve("broker1"));
        KeyFile.write(directory.resolve("broker.key"), cluster.signingKey());
        Files.writeString(directory.resolve("broker.properties"), "brokerId=" + TestCluster.BROKER_ID + "\nkeyId=1\n");
        Files.writeString(
                root.resolve("genesis.json"),
                GenesisFile.toJson(cluster.genesis().genesis()));

        SampleBroker.main(new String[] {directory.toString()});

        assertThat(cluster.executed()).hasSize(3);
    }

    @Test
    void shouldStandInBothReadmesAsItIs() throws IOException {
        List<String> lines = Files.readAllLines(Path.of(SOURCE));
        String body = lines.stream().dropWhile(line -> !line.startsWith("/**")).collect(Collectors.joining("\n"));

        assertThat(lines).hasSizeLessThanOrEqualTo(LINES_MAX);
        assertThat(Files.readString(Path.of("README.md"))).contains(body);
        assertThat(Files.readString(Path.of("../README.md"))).contains(body);
    }
}
