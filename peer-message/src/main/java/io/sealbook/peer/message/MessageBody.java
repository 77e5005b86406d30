package io.sealbook.peer.message;

import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;

/** The parts of messages and records; a part that both contain is written once. */
final class MessageBody {
    private static final int END_LENGTH = 2 * Long.BYTES + Digest.LENGTH;
    private static final int SIGNED_LENGTH_MIN = 4;
    static final int PROPOSAL_LENGTH_MIN = 28 + Digest.LENGTH;
    /** Without its proposal. */
    private static final int PRE_PREPARE_LENGTH_MIN = 16 + SIGNED_LENGTH_MIN;

    private static final int STABLE_LENGTH_MIN = 8 + 3 * Digest.LENGTH + 4;
    private static final int PREPARED_LENGTH_MIN = PRE_PREPARE_LENGTH_MIN + 4;
    private static final int VIEW_CHANGE_LENGTH_MIN = 8 + STABLE_LENGTH_MIN + 4 + SIGNED_LENGTH_MIN;

    private MessageBody() {}

    static void write(WireWriter out, int replica, Signature signature) {
        byte[] bytes = signature.bytes();
        out.putShort(replica).putShort(bytes.length).putBytes(bytes);
    }

    static Signature readSignature(WireReader in) throws MalformedMessageException {
        int length = in.unsignedShort("signature length");
        if (length > Signature.LENGTH_MAX) {
            throw in.malformed("signature length is " + length, Short.BYTES);
        }
        return Signature.of(in.bytes(length, "signature"));
    }

    static void write(WireWriter out, List<ReplicaSignature> signatures) {
        out.putInt(signatures.size());
        for (ReplicaSignature signature : signatures) {
            write(out, signature.replica(), signature.signature());
        }
    }

    static List<ReplicaSignature> readReplicaSignatures(WireReader in) throws MalformedMessageException {
        int count = in.count("number of signatures", SIGNED_LENGTH_MIN, PeerMessageCodec.REPLICAS_MAX);
        List<ReplicaSignature> signatures = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            signatures.add(new ReplicaSignature(in.unsignedShort("replica"), readSignature(in)));
        }
        return signatures;
    }

    static void writeEnds(WireWriter out, List<SessionEnd> ends) {
        out.putInt(ends.size());
        for (SessionEnd end : ends) {
            write(out, end);
        }
    }

    private static void write(WireWriter out, SessionEnd end) {
        out.putLong(end.sessionKey()).putLong(end.number()).putDigest(end.id());
    }

    static List<SessionEnd> readEnds(WireReader in, int countMax) throws MalformedMessageException {
        int count = in.count("number of sessions", END_LENGTH, countMax);
        List<SessionEnd> ends = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ends.add(readEnd(in));
        }
        return ends;
    }

    private static SessionEnd readEnd(WireReader in) throws MalformedMessageException {
        long sessionKey = in.natural("session");
        long number = in.natural("number");
        if (number == 0) {
            throw in.malformed("number is 0", Long.BYTES);
        }
        return new SessionEnd(sessionKey, number, in.digest("batch id"));
    }

    static void write(WireWriter out, Arrivals message) {
        out.putInt(message.arrivals().size());
        for (Arrival arrival : message.arrivals()) {
            write(out, arrival.batch());
            out.putLong(arrival.timeNs());
        }
        write(out, message.sender(), message.signature());
    }

    static Arrivals readArrivals(WireReader in) throws MalformedMessageException {
        int count = in.count("number of batches", END_LENGTH + Long.BYTES, BatchAck.ENDS_MAX);
        List<Arrival> arrivals = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            arrivals.add(new Arrival(readEnd(in), in.natural("time of arrival")));
        }
        return new Arrivals(arrivals, in.unsignedShort("sender"), readSignature(in));
    }

    static void write(WireWriter out, PrePrepare prePrepare) {
        write(out, prePrepare, Proposals.IN_PLACE);
    }

    private static void write(WireWriter out, PrePrepare prePrepare, Proposals proposals) {
        out.putLong(prePrepare.view()).putLong(prePrepare.sequence());
        proposals.write(out, prePrepare.proposal());
        write(out, prePrepare.sender(), prePrepare.signature());
    }

    static void write(WireWriter out, Proposal proposal) {
        out.putLong(proposal.view()).putLong(proposal.sequence()).putLong(proposal.blockTimeNs());
        writeEnds(out.putDigest(proposal.previous()), proposal.ends());
    }

    static PrePrepare readPrePrepare(WireReader in) throws MalformedMessageException {
        return readPrePrepare(in, Proposals.IN_PLACE);
    }

    private static PrePrepare readPrePrepare(WireReader in, Proposals proposals) throws MalformedMessageException {
        long view = in.natural("view");
        long sequence = in.natural("sequence");
        Proposal proposal = proposals.read(in);
        return new PrePrepare(view, sequence, proposal, in.unsignedShort("sender"), readSignature(in));
    }

    static Proposal readProposal(WireReader in) throws MalformedMessageException {
        long proposalView = in.natural("proposal's view");
        long proposalSequence = in.natural("proposal's sequence");
        long blockTimeNs = in.natural("block time");
        Digest previous = in.digest("previous proposal");
        return new Proposal(proposalView, proposalSequence, blockTimeNs, previous, readEnds(in, Integer.MAX_VALUE));
    }

    static void write(WireWriter out, Outcome outcome) {
        out.putDigest(outcome.chainHash()).putDigest(outcome.resultDigest());
    }

    static Outcome readOutcome(WireReader in) throws MalformedMessageException {
        return new Outcome(in.digest("chain hash"), in.digest("result digest"));
    }

    static void write(WireWriter out, StableCertificate certificate) {
        out.putLong(certificate.sequence())
                .putDigest(certificate.chainHash())
                .putDigest(certificate.resultDigest())
                .putDigest(certificate.proposalDigest());
        write(out, certificate.signatures());
    }

    static StableCertificate readStableCertificate(WireReader in) throws MalformedMessageException {
        return new StableCertificate(
                in.natural("stable sequence"),
                in.digest("chain hash"),
                in.digest("result digest"),
                in.digest("proposal digest"),
                readReplicaSignatures(in));
    }

    static void write(WireWriter out, Suspicion suspicion) {
        write(out.putLong(suspicion.view()), suspicion.sender(), suspicion.signature());
    }

    static Suspicion readSuspicion(WireReader in) throws MalformedMessageException {
        return new Suspicion(in.natural("suspected view"), in.unsignedShort("sender"), readSignature(in));
    }

    static void writeSuspicions(WireWriter out, List<Suspicion> suspicions) {
        out.putInt(suspicions.size());
        for (Suspicion suspicion : suspicions) {
            write(out, suspicion);
        }
    }

    static List<Suspicion> readSuspicions(WireReader in) throws MalformedMessageException {
        int count = in.count("number of suspicions", Long.BYTES + SIGNED_LENGTH_MIN, PeerMessageCodec.REPLICAS_MAX);
        List<Suspicion> suspicions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            suspicions.add(readSuspicion(in));
        }
        return suspicions;
    }

    static void write(WireWriter out, ViewChange viewChange) {
        write(out, viewChange, Proposals.IN_PLACE);
    }

    private static void write(WireWriter out, ViewChange viewChange, Proposals proposals) {
        write(out.putLong(viewChange.newView()), viewChange.stableCertificate());
        out.putInt(viewChange.prepared().size());
        for (PreparedCertificate prepared : viewChange.prepared()) {
            write(out, prepared.prePrepare(), proposals);
            write(out, prepared.prepares());
        }
        write(out, viewChange.sender(), viewChange.signature());
    }

    static ViewChange readViewChange(WireReader in) throws MalformedMessageException {
        return readViewChange(in, Proposals.IN_PLACE);
    }

    private static ViewChange readViewChange(WireReader in, Proposals proposals) throws MalformedMessageException {
        long newView = in.natural("new view");
        StableCertificate stable = readStableCertificate(in);
        int count = in.count("number of prepared certificates", PREPARED_LENGTH_MIN + proposals.lengthMin());
        List<PreparedCertificate> prepared = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            prepared.add(new PreparedCertificate(readPrePrepare(in, proposals), readReplicaSignatures(in)));
        }
        return new ViewChange(newView, stable, prepared, in.unsignedShort("sender"), readSignature(in));
    }

    static void write(WireWriter out, NewView newView, Proposals proposals) {
        out.putLong(newView.view()).putInt(newView.viewChanges().size());
        for (ViewChange viewChange : newView.viewChanges()) {
            write(out, viewChange, proposals);
        }
        out.putInt(newView.prePrepares().size());
        for (PrePrepare prePrepare : newView.prePrepares()) {
            write(out, prePrepare, proposals);
        }
        write(out, newView.sender(), newView.signature());
    }

    static NewView readNewView(WireReader in, Proposals proposals) throws MalformedMessageException {
        long view = in.natural("view");
        int viewChangeCount = in.count("number of view changes", VIEW_CHANGE_LENGTH_MIN, PeerMessageCodec.REPLICAS_MAX);
        List<ViewChange> viewChanges = new ArrayList<>(viewChangeCount);
        for (int i = 0; i < viewChangeCount; i++) {
            viewChanges.add(readViewChange(in, proposals));
        }
        int prePrepareCount = in.count("number of pre-prepares", PRE_PREPARE_LENGTH_MIN + proposals.lengthMin());
        List<PrePrepare> prePrepares = new ArrayList<>(prePrepareCount);
        for (int i = 0; i < prePrepareCount; i++) {
            prePrepares.add(readPrePrepare(in, proposals));
        }
        return new NewView(view, viewChanges, prePrepares, in.unsignedShort("sender"), readSignature(in));
    }

    /** Returns the bytes of a NEW-VIEW whose proposals stand in place. */
    static long lengthInPlace(NewView newView) {
        long length = Long.BYTES + 2 * Integer.BYTES + length(newView.signature());
        for (ViewChange viewChange : newView.viewChanges()) {
            length += length(viewChange);
        }
        for (PrePrepare prePrepare : newView.prePrepares()) {
            length += length(prePrepare);
        }
        return length;
    }

    private static long length(ViewChange viewChange) {
        StableCertificate stable = viewChange.stableCertificate();
        long length = Long.BYTES + STABLE_LENGTH_MIN + length(stable.signatures());
        length += Integer.BYTES + length(viewChange.signature());
        for (PreparedCertificate prepared : viewChange.prepared()) {
            length += length(prepared.prePrepare()) + Integer.BYTES + length(prepared.prepares());
        }
        return length;
    }

    private static long length(PrePrepare prePrepare) {
        int sessions = prePrepare.proposal().ends().size();
        return 2 * Long.BYTES + PROPOSAL_LENGTH_MIN + (long) sessions * END_LENGTH + length(prePrepare.signature());
    }

    private static long length(List<ReplicaSignature> signatures) {
        long length = 0;
        for (ReplicaSignature signature : signatures) {
            length += length(signature.signature());
        }
        return length;
    }

    private static int length(Signature signature) {
        return SIGNED_LENGTH_MIN + signature.length();
    }
}
