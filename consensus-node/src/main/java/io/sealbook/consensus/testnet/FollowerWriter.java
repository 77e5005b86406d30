package io.sealbook.consensus.testnet;

import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.testnet.TestnetPlan.PortUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the directories of followers and of the engines beside them. A follower has no key; it uses the ports that a
 * further node of the plan would have.
 */
public final class FollowerWriter {
    /** What the followers of a test net are to its nodes. */
    static final int AUDITOR_ID = 1;

    private static final int PORT_MAX = 65_535;

    private final Path directory;
    private final TestnetPlan plan;

    /**
     * Describes what is written; nothing is yet.
     *
     * @param directory of the cluster
     * @param plan of its nodes
     */
    public FollowerWriter(Path directory, TestnetPlan plan) {
        this.directory = directory;
        this.plan = plan;
    }

    /**
     * Checks that there is room for followers.
     *
     * @param count number of followers
     * @throws IllegalArgumentException if it is below 0, or there are no ports for them
     */
    public void check(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("--followers " + count + ", expected 0 or more");
        }
        int lastPort = plan.port(plan.nodeCount() + count - 1, PortUse.ENGINE_HTTP);
        if (lastPort > PORT_MAX) {
            throw new IllegalArgumentException(
                    "--followers " + count + ": their last port would be " + lastPort + ", at most " + PORT_MAX);
        }
    }

    /**
     * Writes {@code follower0} and so on, after {@link TestnetWriter#write}.
     *
     * @param count number of followers, which was checked
     */
    public void write(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            write(new NodeDirectory(directory.resolve("follower" + i)), plan.nodeCount() + i);
        }
    }

    private void write(NodeDirectory follower, int place) throws IOException {
        ClosedDirectory.create(follower.root());
        Files.copy(directory.resolve("genesis.json"), follower.genesisFile());
        List<String> lines = new ArrayList<>(List.of(
                "# Settings of this follower; FollowerConfig lists every key with its default.",
                "bind-address=" + plan.bindAddress(),
                "gateway-port=" + plan.port(place, PortUse.GATEWAY),
                "admin-address=" + plan.bindAddress(),
                "admin-port=" + plan.port(place, PortUse.NODE_ADMIN)));
        lines.addAll(plan.tlsLine());
        if (plan.isTls()) {
            lines.add("auditor-id=" + AUDITOR_ID);
            Files.copy(
                    directory.resolve(TestnetWriter.auditor(AUDITOR_ID)).resolve("auditor.key"),
                    follower.auditorKeyFile(),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.write(follower.followerPropertiesFile(), lines);
        Files.write(follower.enginePropertiesFile(), plan.engineProperties(place));
    }
}
