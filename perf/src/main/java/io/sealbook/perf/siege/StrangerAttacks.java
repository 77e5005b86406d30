package io.sealbook.perf.siege;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Every port with every certificate that must not open it, and in clear. */
final class StrangerAttacks {
    private static final int READ_LIMIT_MS = 60_000;
    private static final int ANSWER_LENGTH = 12;
    private static final Set<String> GRPC = Set.of("gateway", "engine");
    private static final String HTTP2 = "h2";
    /** What an HTTP/2 client begins with: preface and empty SETTINGS (RFC 9113, section 3.4). */
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);
    /** Length and type of a SETTINGS frame that a server may send: its first bytes are of a short frame. */
    private static final String SETTINGS = "\0\0";

    private static final byte[] REQUEST = "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);

    private StrangerAttacks() {}

    static List<Attack> all() {
        return List.of(new Attack(
                "strangers",
                "each port in clear, and with no, a foreign, an expired and a revoked certificate; found: it answers",
                StrangerAttacks::knock));
    }

    private static AttackResult knock(Besieged besieged) throws Exception {
        Map<String, SSLContext> strangers = new LinkedHashMap<>();
        strangers.put("no certificate", besieged.identities().withoutCertificate());
        for (Identities.Stranger each : Identities.Stranger.values()) {
            strangers.put(each.name(), besieged.identities().context(each));
        }
        List<String> faults = new ArrayList<>();
        int knocks = 0;
        for (Map.Entry<String, Integer> port : besieged.tlsPorts(0).entrySet()) {
            // The check itself: who has a trusted certificate gets an answer.
            String guest = answer(port, besieged.identities().context(Guest.NONE));
            if (guest.isEmpty()) {
                faults.add(port.getKey() + " does not answer a trusted certificate");
            }
            for (Map.Entry<String, SSLContext> stranger : strangers.entrySet()) {
                String answer = answer(port, stranger.getValue());
                knocks++;
                if (!answer.isEmpty()) {
                    faults.add(port.getKey() + " answers " + stranger.getKey() + ": " + answer);
                }
            }
            String clear = answerInClear(port);
            knocks++;
            // Tomcat answers 400 in clear: this port requires TLS. All others send an alert, or nothing.
            boolean isAnswered = GRPC.contains(port.getKey())
                    ? clear.startsWith(SETTINGS)
                    : clear.startsWith("HTTP/1.1 ") && !clear.startsWith("HTTP/1.1 400");
            if (isAnswered) {
                faults.add(port.getKey() + " answers in clear: " + clear);
            }
        }
        return AttackResult.of(knocks, "knocks at TLS ports are refused", faults);
    }

    /** Returns the first bytes that a port sends after the handshake; empty if it refuses. */
    private static String answer(Map.Entry<String, Integer> port, SSLContext context) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(Besieged.HOST, port.getValue())) {
            if (GRPC.contains(port.getKey())) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {HTTP2});
                socket.setSSLParameters(parameters);
            }
            return ask(socket, port.getKey());
        } catch (SSLException | SocketException e) {
            return "";
        }
    }

    private static String answerInClear(Map.Entry<String, Integer> port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(Besieged.HOST, port.getValue()));
            return ask(socket, port.getKey());
        } catch (SocketException e) {
            return "";
        }
    }

    private static String ask(Socket socket, String port) throws IOException {
        socket.setSoTimeout(READ_LIMIT_MS);
        socket.getOutputStream().write(GRPC.contains(port) ? PREFACE : REQUEST);
        socket.getOutputStream().flush();
        return new String(socket.getInputStream().readNBytes(ANSWER_LENGTH), StandardCharsets.ISO_8859_1);
    }
}
