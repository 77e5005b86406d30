package io.sealbook.pbft.message;

import java.util.Arrays;
import java.util.Optional;

/**
 * Two statements under one replica's key that exclude each other: no correct replica signs both. It is proof for
 * anybody who has the key, because all that it shows is under the signatures:
 *
 * <ul>
 *   <li>a PRE-PREPARE or PREPARE of two proposals, in one view of one epoch for one block;
 *   <li>two NEW-VIEWs of one view of one epoch;
 *   <li>CHECKPOINTs of two proposals for one block.
 * </ul>
 *
 * <p>Two results of one block are none: an engine that was wrong and is rebuilt makes its node sign again (decision
 * 69). Two VIEW-CHANGEs of one view are none: a checkpoint may have become stable between them. A COMMIT is not signed.
 *
 * @param replica whose key signed both, 0-based
 * @param epoch in which both count; of CHECKPOINTs that in which the replica had the key
 * @param first bytes that the replica signed; not changed
 * @param firstSignature over them
 * @param second bytes that the replica signed; not changed
 * @param secondSignature over them
 */
public record DoubleVote(
        int replica, Epoch epoch, byte[] first, Signature firstSignature, byte[] second, Signature secondSignature) {

    /**
     * Returns what two statements prove; empty if nothing. The signatures are the caller's to verify.
     *
     * @param replica that signed both, 0-based
     * @param epoch in which both count
     * @param first signed bytes of a message
     * @param firstSignature over them
     * @param second signed bytes of another message
     * @param secondSignature over them
     */
    public static Optional<DoubleVote> of(
            int replica,
            Epoch epoch,
            byte[] first,
            Signature firstSignature,
            byte[] second,
            Signature secondSignature) {
        Statement one = Statement.read(first);
        Statement other = Statement.read(second);
        boolean exclude = one != null
                && other != null
                && one.isMadeBy(replica, epoch)
                && other.isMadeBy(replica, epoch)
                && one.excludes(other);
        return exclude
                ? Optional.of(new DoubleVote(replica, epoch, first, firstSignature, second, secondSignature))
                : Optional.empty();
    }

    /** Returns what both statements are about, for people. */
    public String subject() {
        return Statement.read(first).subject();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DoubleVote vote
                && replica == vote.replica
                && epoch.equals(vote.epoch)
                && Arrays.equals(first, vote.first)
                && firstSignature.equals(vote.firstSignature)
                && Arrays.equals(second, vote.second)
                && secondSignature.equals(vote.secondSignature);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(first) + Arrays.hashCode(second);
    }

    @Override
    public String toString() {
        return "DoubleVote[replica=" + replica + ", epoch=" + epoch.number() + ", " + subject() + "]";
    }
}
