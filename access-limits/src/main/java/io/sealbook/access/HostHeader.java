package io.sealbook.access;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges for which host a request is, at an HTTP port without TLS. The owner of a site on the Internet can let its name
 * mean 127.0.0.1 (DNS rebinding): the browser of this machine then takes the port for that site, and lets its page ask
 * what it likes. It names the site as the host, and no name is an address, or {@code localhost}. With TLS the
 * certificate has another name. Immutable; any thread.
 */
public final class HostHeader {
    /** HTTP status of a request for another host. */
    public static final int MISDIRECTED_REQUEST = 421;

    /** What a refused caller is told. */
    public static final String REFUSAL =
            "the Host of the request is neither an address, nor localhost, nor the address of this port";

    /** Host without a port, which follows a colon. */
    private static final Pattern HOST = Pattern.compile("(\\[[^]]*]|[^:]*)(?::[0-9]*)?");

    /** No name ends with a number (WHATWG URL, section 3.5), or has brackets. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}|\\[[0-9a-fA-F:.]+]");

    private final String listening;

    /** @param listening name or address on which the port listens */
    public HostHeader(String listening) {
        this.listening = listening;
    }

    /**
     * Returns whether a request is for another host than this one.
     *
     * @param header value of {@code Host}; null if there is none, which no browser sends
     */
    public boolean isForeign(String header) {
        if (header == null) {
            return false;
        }
        Matcher matcher = HOST.matcher(header);
        return !matcher.matches() || !isOfThisMachine(matcher.group(1));
    }

    private boolean isOfThisMachine(String host) {
        return host.equalsIgnoreCase("localhost")
                || host.equalsIgnoreCase(listening)
                || ADDRESS.matcher(host).matches();
    }
}
