package io.sealbook.client;

import java.util.List;
import java.util.stream.Collectors;

/** The state of the connection to each endpoint, and the step at which a lost one failed. */
public record ConnectionReport(List<Endpoint> endpoints) {

    public ConnectionReport {
        endpoints = List.copyOf(endpoints);
    }

    /** What an endpoint is for. */
    public enum Role {
        GATEWAY,
        ENGINE
    }

    /** The progress of a connection: the step that it has reached or failed in. */
    public enum Step {
        /** Not tried yet. */
        NONE,
        /** The name does not resolve. */
        DNS,
        /** The port does not answer. */
        TCP,
        /** The peer answers, and the security handshake fails. */
        TLS,
        /** The peer answers, and not as the expected gRPC service. */
        GRPC,
        /** The peer answers, and is another node or of another chain. */
        IDENTITY,
        /** The connection is established. */
        CONNECTED
    }

    /**
     * One endpoint.
     *
     * @param nodeId from 0, as in the genesis file
     * @param role which of the node's servers
     * @param host name or address
     * @param port 1..65535
     * @param step how far the connection came
     * @param detail of a failure what was seen, else empty
     */
    public record Endpoint(int nodeId, Role role, String host, int port, Step step, String detail) {
        public boolean isConnected() {
            return step == Step.CONNECTED;
        }

        @Override
        public String toString() {
            return "node " + nodeId + " " + role + " " + host + ":" + port + " " + step
                    + (detail.isEmpty() ? "" : " (" + detail + ")");
        }
    }

    @Override
    public String toString() {
        return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining("\n"));
    }
}
