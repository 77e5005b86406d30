package io.sealbook.perf.cluster;

import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keys, settings and genesis file of a local cluster, which the testnet command writes. */
final class ClusterFiles {
    private static final int TESTNET_HEAP_MB = 128;

    private ClusterFiles() {}

    /**
     * Writes the files of a new cluster.
     *
     * @throws IOException if the testnet command fails; the message has its output
     */
    static void write(ClusterPlan plan) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(LocalCluster.java(
                TESTNET_HEAP_MB,
                List.of(),
                LocalCluster.jar(plan.home(), "consensus-node"),
                List.of(
                        "testnet",
                        "--dir",
                        plan.directory().toString(),
                        "--nodes",
                        Integer.toString(plan.nodeCount()),
                        "--base-port",
                        Integer.toString(plan.basePort()))));
        for (String scheme : plan.brokerSchemes()) {
            command.addAll(List.of("--broker", scheme));
        }
        for (String instrument : plan.instruments()) {
            command.addAll(List.of("--instrument", instrument));
        }
        command.addAll(plan.testnetOptions());
        Path log = plan.directory().resolve("testnet.log");
        int exitCode = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("testnet ended with exit code " + exitCode + ":\n" + Files.readString(log));
        }
    }

    /**
     * Checks that no process listens at the ports of a cluster.
     *
     * @throws IOException if one does; the message names port and node
     */
    static void checkPortsFree(GenesisFile genesis) throws IOException {
        for (Node node : genesis.genesis().getNodesList()) {
            int base = node.getVotePort();
            for (int port : List.of(
                    base,
                    node.getPayloadPort(),
                    node.getGatewayPort(),
                    node.getEnginePort(),
                    base + LocalCluster.NODE_ADMIN_PORT_OFFSET,
                    base + LocalCluster.ENGINE_HTTP_PORT_OFFSET)) {
                if (!isFree(port)) {
                    throw new IOException("port " + port + " of node " + node.getNodeId()
                            + " is taken; another cluster may be running (choose another base port)");
                }
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
