package io.sealbook.peer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/** The resolver of this module's tests: two more names, each with two addresses. No node listens on one of them. */
public final class TwoAddresses extends InetAddressResolverProvider {
    static final String DESERTED_FIRST = "two-addresses.test";
    static final String DESERTED_LAST = "last-address.test";

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                return switch (host) {
                    case DESERTED_FIRST -> Stream.of(deserted(host), local(host));
                    case DESERTED_LAST -> Stream.of(local(host), deserted(host));
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
