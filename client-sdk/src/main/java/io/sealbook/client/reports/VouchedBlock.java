package io.sealbook.client.reports;

import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;

/**
 * This broker's reports of one block as an engine vouches for them.
 *
 * @param first report sequence of the first
 * @param count how many they are, at least 1
 * @param digest over all of them; of reports that came whole the client has computed it
 * @param runs the results from which the reports are made; empty if the engine sent the digest alone
 */
record VouchedBlock(long first, int count, Digest digest, Optional<List<byte[]>> runs) {
    /** Returns the report sequence after the last. */
    long end() {
        return first + count;
    }

    /** Returns whether two engines vouch for the same reports. */
    boolean isSameAs(VouchedBlock other) {
        return first == other.first && count == other.count && digest.equals(other.digest);
    }
}
