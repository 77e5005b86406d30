package io.sealbook.tls.endpoint;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a server of a node listens.
 *
 * @param host name or address, as the node or the chain names it
 * @param port 0..65535
 */
public record HostPort(String host, int port) {
    /** Characters of a host at most, as of a name in the DNS. */
    public static final int HOST_LENGTH_MAX = 253;

    /** What a host must be, for messages. */
    public static final String HOST_FORM =
            "name or IP address of 1 to " + HOST_LENGTH_MAX + " characters of ASCII, as in a URI";

    /**
     * Returns whether channels can be opened to a host: a name of letters, digits, hyphens and dots whose last part
     * begins with a letter, or an IP address. These are the hosts of RFC 2396, section 3.2.2, and RFC 2732, which gRPC
     * takes; it throws at others, such as {@code node_0}.
     */
    public static boolean isHost(String host) {
        if (host.isEmpty() || host.length() > HOST_LENGTH_MAX || !host.chars().allMatch(c -> '!' <= c && c <= '~')) {
            return false;
        }
        try {
            String read = new URI(null, null, host, 1, null, null, null).getHost();
            return host.equals(read) || ('[' + host + ']').equals(read);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Returns HOST:PORT, with an IPv6 address in brackets. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 && !host.startsWith("[") ? '[' + host + ']' : host) + ':' + port;
    }
}
