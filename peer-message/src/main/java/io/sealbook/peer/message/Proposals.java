package io.sealbook.peer.message;

import io.sealbook.pbft.message.Proposal;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How the proposals of one message stand in its bytes. One thread, one message. */
interface Proposals {
    /** Each proposal stands where it belongs. */
    Proposals IN_PLACE = new Proposals() {
        @Override
        public void write(WireWriter out, Proposal proposal) {
            MessageBody.write(out, proposal);
        }

        @Override
        public Proposal read(WireReader in) throws MalformedMessageException {
            return MessageBody.readProposal(in);
        }

        @Override
        public int lengthMin() {
            return MessageBody.PROPOSAL_LENGTH_MIN;
        }
    };

    void write(WireWriter out, Proposal proposal);

    Proposal read(WireReader in) throws MalformedMessageException;

    /** Returns the bytes that a proposal takes at least. */
    int lengthMin();

    /**
     * Each proposal stands once, with its number from 0 before it, and only its number wherever it comes again. The
     * VIEW-CHANGEs of a NEW-VIEW mostly show the same proposals.
     */
    final class Shared implements Proposals {
        private final Map<Digest, Integer> numbers = new HashMap<>();
        private final List<Proposal> known = new ArrayList<>();

        @Override
        public void write(WireWriter out, Proposal proposal) {
            Integer number = numbers.putIfAbsent(proposal.digest(), numbers.size());
            if (number == null) {
                MessageBody.write(out.putInt(numbers.size() - 1), proposal);
            } else {
                out.putInt(number);
            }
        }

        @Override
        public Proposal read(WireReader in) throws MalformedMessageException {
            int number = in.naturalInt("number of a proposal");
            if (number < known.size()) {
                return known.get(number);
            }
            if (number > known.size()) {
                throw in.malformed("proposal " + number + " after " + known.size() + " others", Integer.BYTES);
            }
            Proposal proposal = MessageBody.readProposal(in);
            if (numbers.putIfAbsent(proposal.digest(), number) != null) {
                throw in.malformed("proposal " + number + " came before", 0);
            }
            known.add(proposal);
            return proposal;
        }

        @Override
        public int lengthMin() {
            return Integer.BYTES;
        }
    }
}
