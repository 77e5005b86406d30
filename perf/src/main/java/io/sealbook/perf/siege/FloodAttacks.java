package io.sealbook.perf.siege;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import javax.net.SocketFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** Floods of callers without a certificate, from the address from which the honest ones come too. */
final class FloodAttacks {
    /** More than any limit of an address. */
    private static final int SOCKETS_PER_PORT = 400;

    private static final long SEED = 20_261_124;
    /**
     * By so many descriptors may a process grow: at the port of the gateway two times 44 connections without a
     * certificate and as many that are being closed, 44 at the admin port, and two times 22 at those of the peers.
     */
    private static final long GROWTH_MAX = 300;

    private static final long LOG_BYTES_MAX = 200_000;
    /** A record of TLS with a handshake of 512 bytes, of which these are the first. */
    private static final byte[] HALF_HELLO = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, (byte) 0xFC, 0x03, 0x03};

    /** The header of a member's HELLO: version 5, kind 1, 128 bytes. */
    private static final byte[] HALF_PEER_HELLO = {'S', 'B', 'H', 'S', 5, 1, (byte) 128, 0};

    private static final byte[] HALF_REQUEST = "GET / HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII);

    /** The limits are of five seconds. */
    private static final int PATIENCE_MS = 90_000;
    /** A connection that is closed earlier was not closed by its limit. */
    private static final long PATIENCE_MIN_NS = 1_000_000_000;

    private static final int JUNK_LENGTH = 3_000;
    private static final int RESTARTED = 3;

    private FloodAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "half-open",
                        SOCKETS_PER_PORT + " silent sockets at each port; found: somebody honest gets no answer",
                        besieged -> flood(besieged, new byte[0])),
                new Attack(
                        "half-handshake",
                        SOCKETS_PER_PORT + " halves of a ClientHello at each port; found: the same",
                        besieged -> flood(besieged, HALF_HELLO)),
                new Attack(
                        "junk",
                        SOCKETS_PER_PORT + " sockets with random bytes at each port; found: the same",
                        besieged -> flood(besieged, junk())),
                new Attack(
                        "lost-peer",
                        "a node restarts while all peer ports are flooded; found: it does not find its peers",
                        FloodAttacks::restart),
                new Attack(
                        "patience",
                        "half of a HELLO at the ports of members, of a ClientHello at those of HTTP, and through TLS"
                                + " half of a request; found: the connection stays open, or is closed at once",
                        FloodAttacks::patience));
    }

    /** The ports of gRPC have a limit of minutes, and close the oldest one before if others need its place. */
    private static AttackResult patience(Besieged besieged) throws Exception {
        Map<String, Integer> ports = besieged.ports(0);
        SocketFactory ofBroker =
                besieged.identities().context(Guest.OTHER_BROKER).getSocketFactory();
        List<String> faults = new ArrayList<>();
        List<String> ofMembers = List.of("votes", "payloads");
        for (String port : ofMembers) {
            patienceFault(SocketFactory.getDefault(), ports.get(port), HALF_PEER_HELLO, PATIENCE_MIN_NS)
                    .ifPresent(fault -> faults.add(port + " " + fault + " half of a HELLO"));
        }
        List<String> ofHttp = List.of("http", "admin");
        for (String port : ofHttp) {
            patienceFault(SocketFactory.getDefault(), ports.get(port), HALF_HELLO, PATIENCE_MIN_NS)
                    .ifPresent(fault -> faults.add(port + " " + fault + " half of a ClientHello"));
            patienceFault(ofBroker, ports.get(port), HALF_REQUEST, PATIENCE_MIN_NS)
                    .ifPresent(fault -> faults.add(port + " " + fault + " half of a request"));
        }
        return AttackResult.of(
                ofMembers.size() + 2 * ofHttp.size(), "connections were closed by the other side", faults);
    }

    /**
     * Connects to a port, sends half of something, and returns what is wrong with the end of the connection; empty if
     * the limit of time has ended it.
     *
     * @param sockets in clear, or of TLS
     * @param port of the besieged host
     * @param half what is sent
     * @param minNs ns after which the limit may end it
     * @throws IOException if the port does not take the connection, or the handshake of TLS fails
     */
    static Optional<String> patienceFault(SocketFactory sockets, int port, byte[] half, long minNs) throws IOException {
        // The limit may count from the moment of the connection: no pause of this process makes it look shorter.
        long startNs = System.nanoTime();
        try (Socket socket = sockets.createSocket(Besieged.HOST, port)) {
            socket.setSoTimeout(PATIENCE_MS);
            if (socket instanceof SSLSocket tls) {
                tls.startHandshake();
            }
            if (isKept(socket, half)) {
                return Optional.of("keeps");
            }
        }
        return System.nanoTime() - startNs < minNs ? Optional.of("does not wait after") : Optional.empty();
    }

    private static boolean isKept(Socket socket, byte[] half) throws IOException {
        try {
            socket.getOutputStream().write(half);
            socket.getOutputStream().flush();
            while (socket.getInputStream().read() >= 0) {
                // An alert of TLS, or a refusal.
            }
        } catch (SocketTimeoutException e) {
            return true;
        } catch (SocketException | SSLException e) {
            // It was closed with what it had not read.
        }
        return false;
    }

    private static byte[] junk() {
        byte[] junk = new byte[JUNK_LENGTH];
        new Random(SEED).nextBytes(junk);
        return junk;
    }

    private static AttackResult flood(Besieged besieged, byte[] greeting) throws Exception {
        long logBefore = besieged.logBytes();
        long nodeBefore = besieged.descriptors(0);
        long engineBefore = besieged.engineDescriptors(0);
        List<String> faults;
        long opened;
        long descriptors;
        try (SocketFlood flood = SocketFlood.begin(besieged.ports(0).values(), SOCKETS_PER_PORT, greeting)) {
            faults = new ArrayList<>(Service.faults(besieged));
            descriptors = Math.max(besieged.descriptors(0) - nodeBefore, besieged.engineDescriptors(0) - engineBefore);
            besieged.awaitSnapshot(0);
            flood.check();
            opened = flood.opened();
        }
        long logged = besieged.logBytes() - logBefore;
        if (descriptors > GROWTH_MAX) {
            faults.add(descriptors + " further descriptors were open in one process");
        }
        if (logged > LOG_BYTES_MAX) {
            faults.add("the logs grew by " + logged + " bytes");
        }
        return faults.isEmpty()
                ? AttackResult.held(opened + " sockets, " + descriptors + " further descriptors, " + logged
                        + " bytes of log, all honest callers served")
                : AttackResult.found(String.join("; ", faults));
    }

    private static AttackResult restart(Besieged besieged) throws Exception {
        List<Integer> peerPorts = new ArrayList<>();
        for (int node = 0; node < besieged.cluster().size(); node++) {
            Map<String, Integer> ports = besieged.ports(node);
            peerPorts.add(ports.get("votes"));
            peerPorts.add(ports.get("payloads"));
        }
        try (SocketFlood flood = SocketFlood.begin(peerPorts, SOCKETS_PER_PORT / 2, HALF_HELLO)) {
            besieged.cluster().killNode(RESTARTED);
            besieged.cluster().startNode(RESTARTED);
            int peers = besieged.cluster().size() - 1;
            Await.answer("node " + RESTARTED, "NORMAL with " + peers + " peers", () -> state(besieged, RESTARTED));
            besieged.awaitProgress();
            flood.check();
            return AttackResult.held("it has all peers while " + flood.opened() + " sockets were opened");
        }
    }

    private static String state(Besieged besieged, int node) {
        return besieged.cluster()
                .nodeStatus(node)
                .map(status -> status.getState() + " with " + status.getConnectedPeersCount() + " peers")
                .orElse("silent");
    }
}
