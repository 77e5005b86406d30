package io.sealbook.archive.administration;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.ExecutedTransaction;
import io.sealbook.protocol.v1.ExecutedTransactions;
import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;

/**
 * What a verifier without the chain knows of its nodes: the genesis file, and perhaps a file with the chain's executed
 * administrative transactions. The file need not be trusted for the nodes' keys: each transaction is executed by the
 * nodes before it, a quorum of which must have approved it, from those of the genesis file on. Nothing proves
 *
 * <ul>
 *   <li>that an approved transaction was executed: the file of a liar may end with one that never came into a block, or
 *       leave out the last ones;
 *   <li>in which block a transaction is: the end of an epoch is where the file says.
 * </ul>
 *
 * Whatever the file says, a certificate is accepted only with the signatures of a quorum of nodes that the consortium
 * has approved as such. One thread.
 *
 * @param epochs as far as they are known
 * @param throughBlock last block whose transactions are in the epochs, as the maker of the file says; 0 if the genesis
 *     file is all that is known
 */
public record KnownEpochs(ChainEpochs epochs, long throughBlock) {
    /** Returns what the genesis file alone says: the first epoch. */
    public static KnownEpochs of(GenesisFile genesis) {
        return new KnownEpochs(new ChainEpochs(genesis.genesis()), 0);
    }

    /**
     * Returns what an archive says, of which nothing but the approvals of the transactions is verified.
     *
     * @param genesis of the chain
     * @param asOf of the archive
     */
    public static KnownEpochs of(GenesisFile genesis, MembershipHistory.AsOf asOf) {
        return new KnownEpochs(ChainEpochs.of(genesis.genesis(), asOf.entries()), asOf.block() - 1);
    }

    /**
     * Returns the file of an archive.
     *
     * @param genesisDigest of the chain
     * @param asOf the membership, with all transactions up to it
     */
    public static byte[] file(Digest genesisDigest, MembershipHistory.AsOf asOf) {
        ExecutedTransactions.Builder file = ExecutedTransactions.newBuilder()
                .setGenesisDigest(ByteString.copyFrom(genesisDigest.bytes()))
                .setThroughBlock(asOf.block() - 1);
        asOf.entries().stream()
                .filter(AdministrativeEntry::isExecuted)
                .forEach(entry -> file.addTransactions(ExecutedTransaction.newBuilder()
                        .setBlock(entry.block())
                        .setTransaction(ByteString.copyFrom(entry.proposed().bytes()))));
        try {
            return (JsonFormat.printer().print(file) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("transactions cannot be written as JSON", e);
        }
    }

    /**
     * Reads a file and executes its transactions.
     *
     * @param bytes from {@link #file}
     * @param genesis of the chain
     * @throws IllegalArgumentException if it is no such file, of another chain, or a transaction is not the next one or
     *     lacks the approvals of a quorum of the nodes before it
     */
    public static KnownEpochs read(byte[] bytes, GenesisFile genesis) {
        ExecutedTransactions.Builder file = ExecutedTransactions.newBuilder();
        try {
            JsonFormat.parser().merge(new String(bytes, StandardCharsets.UTF_8), file);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("membership: " + e.getMessage(), e);
        }
        Digest digest = genesis.digest();
        require(
                file.getGenesisDigest().equals(ByteString.copyFrom(digest.bytes())),
                "its genesis digest is not " + digest.hex());
        ChainEpochs epochs = new ChainEpochs(genesis.genesis());
        Membership membership = epochs.last();
        long block = 1;
        for (ExecutedTransaction transaction : file.getTransactionsList()) {
            require(
                    transaction.getBlock() >= block && transaction.getBlock() <= file.getThroughBlock(),
                    "a transaction in block " + transaction.getBlock() + ", expected " + block + ".."
                            + file.getThroughBlock());
            block = transaction.getBlock();
            Membership.Outcome outcome =
                    membership.apply(transaction.getTransaction().toByteArray(), block);
            require(outcome.isExecuted(), "the transaction of block " + block + ": " + outcome.refusal());
            membership = outcome.membership();
            epochs.add(membership);
        }
        return new KnownEpochs(epochs, file.getThroughBlock());
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException("membership: " + fact);
        }
    }
}
