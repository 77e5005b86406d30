package io.sealbook.peer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * The resolver of this module's tests: two more names, each with two addresses, of which no node listens on one, and
 * one at which it fails.
 */
public final class TwoAddresses extends InetAddressResolverProvider {
    static final String DESERTED_FIRST = "two-addresses.test";
    static final String DESERTED_LAST = "last-address.test";
    static final String FAILING = "failing-resolver.test";

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                return switch (host) {
                    case DESERTED_FIRST -> Stream.of(deserted(host), local(host));
                    case DESERTED_LAST -> Stream.of(local(host), deserted(host));
                    case FAILING -> throw new IllegalStateException("no resolver");
                    default -> usual.lookupByName(host, policy);
                };
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "two-addresses";
    }

    private static InetAddress deserted(String host) throws UnknownHostException {
        return InetAddress.getByAddress(host, new byte[] {127, 0, 0, 66});
    }

    private static InetAddress local(String host) throws UnknownHostException {
        return InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1});
    }
}
