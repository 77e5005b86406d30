package io.sealbook.consensus.doctor;

import io.sealbook.commandline.FailureText;
import io.sealbook.consensus.config.EnginePlace;
import io.sealbook.consensus.inspect.NodeLocks;
import io.sealbook.keytool.Finding;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of the node: free before it starts, held by it while it runs. */
final class PortChecks {
    private PortChecks() {}

    /**
     * Checks the ports.
     *
     * @param node whose ports they are
     * @param selfAnswers whether this node answers at its gateway
     */
    static List<Finding> run(CheckedNode node, boolean selfAnswers) {
        List<Finding> findings = new ArrayList<>();
        boolean isRunning;
        try {
            isRunning = NodeLocks.held(node.files()).isPresent();
        } catch (IOException e) {
            findings.add(Finding.fail("running", FailureText.of(e), "make the locks readable for this user"));
            return findings;
        }
        findings.add(
                isRunning && !selfAnswers
                        ? Finding.warn(
                                "running",
                                "a node runs in the directory and does not answer at its gateway",
                                "look at its log; it may be starting")
                        : Finding.ok("running", isRunning ? "a node runs in the directory" : "no node runs here"));
        Node self = node.self();
        String address = node.config().network().bindAddress();
        findings.add(port("votes", address, self.getVotePort(), isRunning));
        findings.add(port("payloads", address, self.getPayloadPort(), isRunning));
        findings.add(port("gateway", address, self.getGatewayPort(), isRunning));
        var admin = node.config().network().admin();
        if (admin.port() != 0) {
            findings.add(port("admin", admin.address(), admin.port(), isRunning));
        }
        if (node.config().engine() == EnginePlace.LOCAL) {
            findings.add(Finding.ok(
                    "port engine",
                    address + ":" + self.getEnginePort() + " is "
                            + (isFree(address, self.getEnginePort()) ? "free" : "held, as by a running engine")));
        }
        return findings;
    }

    private static Finding port(String name, String address, int port, boolean isRunning) {
        String check = "port " + name;
        String where = address + ":" + port;
        if (isFree(address, port)) {
            return isRunning
                    ? Finding.fail(
                            check, where + " is free, though the node runs", "look at the node's log; restart it")
                    : Finding.ok(check, where + " is free");
        }
        return isRunning
                ? Finding.ok(check, where + " is held, as the node runs")
                : Finding.fail(
                        check,
                        where + " is held by another process, or is no address of this machine",
                        "end that process, or correct the address: ss -ltnp | grep " + port);
    }

    private static boolean isFree(String address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // As Netty binds: connections of an earlier process that linger do not count.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
