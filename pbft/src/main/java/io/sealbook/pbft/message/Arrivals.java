package io.sealbook.pbft.message;

import java.util.List;

/**
 * The sender has stored and verified these batches, and all before them in their sessions, and says when each arrived.
 * Takes the place of {@link BatchAck} where the chain has fair order; goes to all. Signed, so that a primary can show
 * the others what it has gone by.
 *
 * <p>Signed: "SBARRIV1", chain id, epoch, sender, number of batches, and of each session, number, id, time.
 *
 * @param arrivals in no particular order
 * @param sender 0-based, the signer
 */
public record Arrivals(List<Arrival> arrivals, int sender, Signature signature) implements Message {
    private static final int ARRIVAL_LENGTH = 56;

    public Arrivals {
        arrivals = List.copyOf(arrivals);
    }

    /**
     * Returns the bytes that the signature covers; the array is the caller's.
     *
     * @param epoch in which the signature counts
     * @param arrivals of the message, in its order
     * @param sender 0-based, the signer
     */
    public static byte[] signedBytes(Epoch epoch, List<Arrival> arrivals, int sender) {
        SignedBytes bytes = new SignedBytes("SBARRIV1", epoch, 8 + arrivals.size() * ARRIVAL_LENGTH)
                .put(sender)
                .put(arrivals.size());
        for (Arrival arrival : arrivals) {
            bytes.put(arrival.batch().sessionKey())
                    .put(arrival.batch().number())
                    .put(arrival.batch().id())
                    .put(arrival.timeNs());
        }
        return bytes.bytes();
    }

    public byte[] signedBytes(Epoch epoch) {
        return signedBytes(epoch, arrivals, sender);
    }

    @Override
    public boolean isSigned() {
        return true;
    }

    @Override
    public void forEachSignature(Epoch epoch, SignatureSink sink) {
        sink.accept(sender, signedBytes(epoch), signature.bytes());
    }
}
