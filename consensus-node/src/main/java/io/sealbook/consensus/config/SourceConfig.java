package io.sealbook.consensus.config;

import java.util.Arrays;
import java.util.List;

/**
 * Where a follower's blocks come from, and what confirms them.
 *
 * @param addresses HOST:PORT of gateways in the order in which they are tried; empty means those of the members at
 *     present
 * @param confirm what confirms a block
 * @param isSignatureVerified whether brokers' signatures are verified too
 * @param stallMs milliseconds, at least 100
 * @param heldBytesMax bytes of blocks that wait for their confirmation, at least 16 MB: the largest block
 */
public record SourceConfig(
        List<String> addresses, Confirm confirm, boolean isSignatureVerified, int stallMs, long heldBytesMax) {
    private static final String MEMBERS = "members";
    private static final long HELD_BYTES_MIN = 16L << 20;

    /** What confirms a block. */
    public enum Confirm {
        /** A certificate, or the signed heads of f + 1 members. */
        MEMBERS,
        /** Its source alone. */
        SOURCE
    }

    public SourceConfig {
        addresses = List.copyOf(addresses);
        for (String address : addresses) {
            ConfigException.require(isAddress(address), "sources: '" + address + "' is neither members nor HOST:PORT");
        }
        ConfigException.require(stallMs >= 100, "source-stall-ms=" + stallMs + " is below 100");
        ConfigException.require(
                heldBytesMax >= HELD_BYTES_MIN, "held-bytes-max=" + heldBytesMax + " is below " + HELD_BYTES_MIN);
    }

    static boolean isAddress(String text) {
        return text.matches("\\S+:\\d{1,5}");
    }

    /** Reads the settings. */
    static SourceConfig of(Settings settings) {
        String sources = settings.text("sources", MEMBERS);
        return new SourceConfig(
                sources.equals(MEMBERS)
                        ? List.of()
                        : Arrays.stream(sources.split(",")).map(String::strip).toList(),
                settings.choice("confirm", Confirm.MEMBERS),
                settings.truth("verify-signatures", false),
                settings.integer("source-stall-ms", "10000"),
                settings.longInteger("held-bytes-max", Long.toString(256L << 20)));
    }
}
