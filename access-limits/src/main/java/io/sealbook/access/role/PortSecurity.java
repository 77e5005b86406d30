package io.sealbook.access.role;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.netty.channel.ServerChannel;
import io.sealbook.access.ConnectionLimit;
import io.sealbook.access.Descriptors;
import io.sealbook.access.HolderQuota;
import io.sealbook.access.SocketPlaces;
import io.sealbook.access.TlsPorts;
import io.sealbook.access.TrustedConnections;
import io.sealbook.access.rate.CallRateLimit;
import io.sealbook.access.rate.InboundBounds;
import io.sealbook.access.rate.PortRates;
import io.sealbook.access.rate.Rates;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.tls.TlsIdentity;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a gRPC port requires of connections and callers: TLS and roles together, or neither on a port that this machine
 * alone reaches.
 *
 * @param identity of the server; empty without TLS
 * @param gate judges callers; empty without TLS
 */
public record PortSecurity(Optional<TlsIdentity> identity, Optional<RoleGate> gate) {
    /** Plain connections, on which every caller may call everything. */
    public static final PortSecurity NONE = new PortSecurity(Optional.empty(), Optional.empty());

    /**
     * Returns the security of a port whose roles follow the membership.
     *
     * @param tls identity of the server; empty without TLS
     * @param terms returns what has the keys of roles at present; the same object until they change
     * @param rules by method
     */
    public static PortSecurity of(
            Optional<TlsIdentity> tls, Supplier<Genesis> terms, Map<MethodDescriptor<?, ?>, CallRule> rules) {
        return new PortSecurity(tls, tls.map(identity -> new RoleGate(RoleVerifier.of(terms), rules)));
    }

    /** Returns what the server accepts; it sees the frames of its connections, which its bounds need. */
    public ServerCredentials credentials() {
        return InboundBounds.watched(TlsPorts.server(identity));
    }

    /** Returns for a log whose TLS the server has; empty without TLS. */
    public Optional<String> tlsProvider() {
        return identity.map(present -> TlsPorts.grpcProvider());
    }

    /**
     * Divides the sockets of a port.
     *
     * @param wantedConnectionsMax what the operator allows
     * @param port whose descriptors they are
     */
    public SocketPlaces places(int wantedConnectionsMax, Descriptors.Port port) {
        return SocketPlaces.of(wantedConnectionsMax, Descriptors.sockets(port), identity.isPresent());
    }

    /**
     * Returns the limit of the connections of a port: by caller and certificate with TLS, by address without. A port
     * has one.
     *
     * @param quota of open connections
     * @param sockets what the port may hold
     * @param onRefused is given the remote address of each connection that is closed, and the reason; must not wait
     */
    public ConnectionLimit limit(
            HolderQuota quota, SocketPlaces sockets, BiConsumer<InetSocketAddress, String> onRefused) {
        if (identity.isEmpty()) {
            return ConnectionLimit.plain(quota, onRefused);
        }
        ConnectionLimit limit = ConnectionLimit.tls(quota, sockets, onRefused);
        gate.ifPresent(roles -> roles.whenCalled(limit::onCall));
        return limit;
    }

    /** Lets connections of a listening channel last only as long as their certificates and roles do. */
    public void watch(ServerChannel listening) {
        identity.ifPresent(own -> listening
                .pipeline()
                .addLast(new TrustedConnections(
                        own,
                        session -> gate.map(roles -> roles.isInOffice(session)).orElse(true))));
    }

    /**
     * Returns the rates of a port's calls: of each caller and certificate with TLS, of each address without. A port has
     * one.
     *
     * @param rates of one holder
     * @param clockNs the time in nanoseconds, from any origin
     * @param onRefused is given the remote address of each call that is refused, and the reason; must not wait
     */
    public CallRateLimit rateLimit(Rates rates, LongSupplier clockNs, BiConsumer<InetSocketAddress, String> onRefused) {
        return new CallRateLimit(
                new PortRates(rates, identity.isPresent()),
                clockNs,
                (call, headers) -> gate.flatMap(roles -> roles.caller(call, headers)),
                onRefused);
    }

    /**
     * Returns a service behind the rates of its port, the gate, and an interceptor that only callers reach whom these
     * let pass.
     *
     * @param service that is served
     * @param rates of the port
     * @param inner the interceptor
     */
    public ServerServiceDefinition protect(BindableService service, CallRateLimit rates, ServerInterceptor inner) {
        return gate.map(roles -> ServerInterceptors.interceptForward(service, rates, roles, inner))
                .orElseGet(() -> ServerInterceptors.interceptForward(service, rates, inner));
    }
}
