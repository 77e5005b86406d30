package io.sealbook.archive.tool;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockFacts;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.administration.ProposedTransaction;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.membership.ChangeText;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * A block as people and as programs read it. All values are numbers, names of this version and hexadecimal digits, so
 * that JSON needs no escapes, but for changes, which hold text of members.
 */
record BlockText(Block block, BlockFacts facts) {
    String header() {
        BlockHeader header = block.header();
        String executed = facts.executionTimeNs().isPresent()
                ? DescribeCommand.time(facts.executionTimeNs().getAsLong()).toString()
                : "unknown";
        return "block " + header.sequence() + " view " + header.view() + " time "
                + DescribeCommand.time(header.blockTimeNs()) + " batches " + header.batchCount() + " bytes "
                + block.length() + " hash " + block.hash().hex() + " previous "
                + header.previousHash().hex()
                + " merkleRoot " + header.merkleRoot().hex() + " proposal "
                + header.proposalDigest().hex()
                + " administration " + header.administrationBlock()
                + " executed " + executed;
    }

    String batch(int i) {
        return "batch " + i + " id " + block.batchId(i).hex() + " bytes " + block.batchLength(i);
    }

    /** Returns the block as one JSON object, with the orders of its batches if asked for. */
    String json(boolean isWithOrders) {
        BlockHeader header = block.header();
        StringJoiner batches = new StringJoiner(",", "[", "]");
        for (int i = 0; i < block.batchCount(); i++) {
            batches.add("{\"id\":\"" + block.batchId(i).hex() + "\",\"bytes\":" + block.batchLength(i)
                    + (isWithOrders ? content(i) : "") + "}");
        }
        String executed = facts.executionTimeNs().isPresent()
                ? Long.toString(facts.executionTimeNs().getAsLong())
                : "null";
        return "{\"sequence\":" + header.sequence() + ",\"view\":" + header.view() + ",\"blockTimeNs\":"
                + header.blockTimeNs() + ",\"bytes\":" + block.length() + ",\"hash\":\""
                + block.hash().hex()
                + "\",\"previousHash\":\"" + header.previousHash().hex() + "\",\"merkleRoot\":\""
                + header.merkleRoot().hex() + "\",\"proposalDigest\":\""
                + header.proposalDigest().hex()
                + "\",\"administrationBlock\":" + header.administrationBlock() + ",\"executionTimeNs\":" + executed
                + ",\"batches\":" + batches + "}";
    }

    private String content(int batchIndex) {
        return ProposedTransaction.of(block, batchIndex)
                .map(BlockText::transaction)
                .orElseGet(() -> ",\"orders\":" + orders(batchIndex));
    }

    private static String transaction(ProposedTransaction proposed) {
        String changes = proposed.terms().getChangesList().stream()
                .map(change -> JsonText.quoted(ChangeText.of(change)))
                .collect(Collectors.joining(",", "[", "]"));
        return ",\"transaction\":{\"number\":\""
                + Long.toUnsignedString(proposed.terms().getNumber()) + "\",\"proposer\":" + proposed.proposer()
                + ",\"approvals\":[" + proposed.approversText() + "],\"changes\":" + changes + "}";
    }

    private String orders(int batchIndex) {
        return new BlockOrders()
                .of(block, batchIndex).stream()
                        .map(order -> OrderText.json(order.fields()))
                        .collect(Collectors.joining(",", "[", "]"));
    }
}
