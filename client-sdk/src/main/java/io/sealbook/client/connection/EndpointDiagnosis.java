package io.sealbook.client.connection;

import io.grpc.Status;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ConnectionReport.Step;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/**
 * What is known about one endpoint. gRPC says UNAVAILABLE to nearly everything, so the failing step is found when a
 * caller asks: the name is resolved and the port tried then. Written by the loop, read by any thread.
 */
final class EndpointDiagnosis {
    private static final int CONNECT_TIMEOUT_MS = 1_000;

    private volatile NodeAddress address;
    private volatile ConnectionReport.Endpoint last;

    EndpointDiagnosis(NodeAddress address) {
        this.address = address;
        this.last = address.at(Step.NONE, "");
    }

    /** Begins anew at another address. */
    void moved(NodeAddress to) {
        address = to;
        last = to.at(Step.NONE, "");
    }

    void connected() {
        if (!last.isConnected()) {
            last = address.at(Step.CONNECTED, "");
        }
    }

    void opening() {
        last = address.at(Step.NONE, "");
    }

    void failedIdentity(String detail) {
        last = address.at(Step.IDENTITY, detail);
    }

    void failed(Status status) {
        Step step = hasCause(status.getCause(), SSLException.class) ? Step.TLS : Step.GRPC;
        last = address.at(step, describe(status));
    }

    /** Returns the state of an endpoint whose stream may be silent: untroubled over a ready channel is connected. */
    ConnectionReport.Endpoint report(boolean isChannelReady) {
        return last.step() == Step.NONE && isChannelReady ? address.at(Step.CONNECTED, "") : report();
    }

    /** Returns the state; where gRPC failed, after trying the steps below it, which blocks for up to 1 s. */
    ConnectionReport.Endpoint report() {
        ConnectionReport.Endpoint seen = last;
        if (seen.step() != Step.GRPC) {
            return seen;
        }
        try (Socket socket = new Socket()) {
            InetAddress host = InetAddress.getByName(seen.host());
            socket.connect(new InetSocketAddress(host, seen.port()), CONNECT_TIMEOUT_MS);
            return seen;
        } catch (UnknownHostException e) {
            return address.at(Step.DNS, "name does not resolve");
        } catch (IOException e) {
            return address.at(Step.TCP, String.valueOf(e.getMessage()));
        }
    }

    private static boolean hasCause(Throwable cause, Class<? extends Throwable> type) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return true;
            }
        }
        return false;
    }

    static String describe(Status status) {
        String cause = status.getCause() == null ? "" : ": " + status.getCause().getMessage();
        return status.getCode() + (status.getDescription() == null ? "" : " " + status.getDescription()) + cause;
    }
}
