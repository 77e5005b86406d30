package io.sealbook.peer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/** The resolver of this module's tests: one more name, with two addresses. No node listens on the first one. */
public final class TwoAddresses extends InetAddressResolverProvider {
    static final String NAME = "two-addresses.test";

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                return host.equals(NAME)
                        ? Stream.of(
                                InetAddress.getByAddress(host, new byte[] {127, 0, 0, 66}),
                                InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}))
                        : usual.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return NAME;
    }
}
