package io.sealbook.consensus.ceremony;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.v1.GenesisContribution;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.SignedContribution;
import java.nio.charset.StandardCharsets;

/** What one member puts into a genesis file, under its signature. */
public final class MemberContribution {
    private static final byte[] TAG = "SBGENCO1".getBytes(StandardCharsets.US_ASCII);

    private MemberContribution() {}

    /**
     * Signs a contribution.
     *
     * @param contribution its node's identity key is set here
     * @param identity signs as the member
     */
    public static SignedContribution sign(GenesisContribution contribution, Signer identity) {
        GenesisContribution complete = contribution.toBuilder()
                .setNode(contribution.getNode().toBuilder()
                        .clearNodeId()
                        .setIdentity(MemberSignature.message(identity.verificationKey())))
                .build();
        return SignedContribution.newBuilder()
                .setContribution(complete)
                .setSignature(ByteString.copyFrom(identity.sign(signedBytes(complete))))
                .build();
    }

    /**
     * Returns why a contribution cannot be used; empty if it can. Its content is judged by the rules of genesis files,
     * when it is in one.
     */
    static String fault(SignedContribution signed) {
        GenesisContribution contribution = signed.getContribution();
        Node node = contribution.getNode();
        if (node.getName().isBlank()) {
            return "its node has no name";
        }
        if (node.getNodeId() != 0) {
            return "its node has a number, which only the genesis file gives";
        }
        VerificationKey key;
        try {
            key = MemberSignature.key(node.getIdentity());
        } catch (IllegalArgumentException e) {
            return "its identity key is none: " + e.getMessage();
        }
        return MemberSignature.isValid(key, signedBytes(contribution), signed.getSignature())
                ? ""
                : "it is not signed by its identity key, or was changed after that";
    }

    /** Returns the name of the member on one line, for messages. */
    public static String name(SignedContribution signed) {
        return ChangeText.oneLine(signed.getContribution().getNode().getName());
    }

    private static byte[] signedBytes(GenesisContribution contribution) {
        return ByteString.copyFrom(TAG).concat(contribution.toByteString()).toByteArray();
    }
}
