package io.sealbook.pbft.message;

import java.util.List;

/**
 * The primary of {@code view} shows a quorum of VIEW-CHANGEs and re-proposes what they oblige it to (TOCS 2002, section
 * 4.4). Every backup computes the PRE-PREPAREs again from the VIEW-CHANGEs and compares.
 *
 * <p>Signed: "SBNEWVW2", chain id, epoch, view, number of VIEW-CHANGEs, of each (sender, digest of its signed bytes),
 * number of PRE-PREPAREs, of each (sequence, digest), sender.
 *
 * @param viewChanges of distinct senders, ascending, all for {@code view}
 * @param prePrepares ascending and without gaps by sequence, all in {@code view}
 */
public record NewView(
        long view, List<ViewChange> viewChanges, List<PrePrepare> prePrepares, int sender, Signature signature)
        implements Message {
    public NewView {
        viewChanges = List.copyOf(viewChanges);
        prePrepares = List.copyOf(prePrepares);
    }

    /**
     * Returns the bytes that the signature covers; the array is the caller's.
     *
     * @param epoch in which the signature counts
     * @param view that begins
     * @param viewChanges a quorum for it, ascending by sender
     * @param prePrepares all in the view, ascending by sequence without gaps
     * @param sender 0-based, the primary of the view
     */
    public static byte[] signedBytes(
            Epoch epoch, long view, List<ViewChange> viewChanges, List<PrePrepare> prePrepares, int sender) {
        SignedBytes bytes = new SignedBytes("SBNEWVW2", epoch, 20 + 36 * viewChanges.size() + 40 * prePrepares.size())
                .put(view)
                .put(viewChanges.size());
        for (ViewChange viewChange : viewChanges) {
            bytes.put(viewChange.sender()).put(viewChange.digest(epoch));
        }
        bytes.put(prePrepares.size());
        for (PrePrepare prePrepare : prePrepares) {
            bytes.put(prePrepare.sequence()).put(prePrepare.digest());
        }
        return bytes.put(sender).bytes();
    }

    public byte[] signedBytes(Epoch epoch) {
        return signedBytes(epoch, view, viewChanges, prePrepares, sender);
    }

    @Override
    public boolean isSigned() {
        return true;
    }

    @Override
    public void forEachSignature(Epoch epoch, SignatureSink sink) {
        sink.accept(sender, signedBytes(epoch), signature.bytes());
        for (ViewChange viewChange : viewChanges) {
            viewChange.forEachSignature(epoch, sink);
        }
        for (PrePrepare prePrepare : prePrepares) {
            prePrepare.forEachSignature(epoch, sink);
        }
    }
}
