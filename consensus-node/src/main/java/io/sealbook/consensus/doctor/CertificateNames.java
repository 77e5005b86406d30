package io.sealbook.consensus.doctor;

import io.netty.util.NetUtil;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The hosts of a certificate, its subject alternative names, as TLS compares them (RFC 9525 section 6): addresses by
 * their bytes, names whatever the case of their letters, and a {@code *} in place of the first label.
 *
 * @param names of the DNS
 * @param addresses of IP, as text
 */
record CertificateNames(List<String> names, List<String> addresses) {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    /** Reads the names of a certificate. */
    static CertificateNames of(X509Certificate certificate) throws CertificateParsingException {
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        List<String> names = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        for (List<?> each : alternatives == null ? List.<List<?>>of() : alternatives) {
            if (each.get(0).equals(DNS_NAME)) {
                names.add((String) each.get(1));
            } else if (each.get(0).equals(IP_ADDRESS)) {
                addresses.add((String) each.get(1));
            }
        }
        return new CertificateNames(names, addresses);
    }

    /** Returns whether they name a host, which is a name or an address. */
    boolean have(String host) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        return address == null
                ? names.stream().anyMatch(name -> matches(name.toLowerCase(Locale.ROOT), host.toLowerCase(Locale.ROOT)))
                : addresses.stream()
                        .anyMatch(each -> Arrays.equals(address, NetUtil.createByteArrayFromIpAddressString(each)));
    }

    private static boolean matches(String name, String host) {
        int dot = host.indexOf('.');
        return name.equals(host)
                || (name.startsWith("*.") && dot > 0 && host.substring(dot).equals(name.substring(1)));
    }

    @Override
    public String toString() {
        List<String> all = new ArrayList<>(names);
        all.addAll(addresses);
        return all.toString();
    }
}
