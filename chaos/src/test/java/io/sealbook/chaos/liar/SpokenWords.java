package io.sealbook.chaos.liar;

import io.sealbook.consensus.peers.Speech;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Notes what would go to the transport. */
final class SpokenWords implements Speech {
    final List<String> said = new ArrayList<>();
    final List<Message> messages = new ArrayList<>();
    byte[] blocks;

    @Override
    public void send(int to, Message message) {
        said.add(to + " " + message);
        messages.add(message);
    }

    @Override
    public void broadcast(Message message) {
        said.add("all " + message);
        messages.add(message);
    }

    @Override
    public void sendPayload(int to, Digest batchId, byte[] signedBatch) {
        said.add(to + " payload");
    }

    @Override
    public void broadcastPayload(Digest batchId, byte[] signedBatch) {
        said.add("all payload");
    }

    @Override
    public void sendBlocks(int to, long from, List<byte[]> sent, byte[] certificateOrNull) {
        said.add(to + " blocks");
        blocks = sent.getFirst();
    }

    @Override
    public void requestBatches(int to, List<BatchRange> ranges) {
        said.add(to + " request");
    }

    @Override
    public void requestBlocks(int to, long from, int count) {
        said.add(to + " request");
    }

    @Override
    public Set<Integer> connected() {
        return Set.of();
    }

    @Override
    public void discardThrough(long stableSequence) {
        said.add("discard");
    }
}
