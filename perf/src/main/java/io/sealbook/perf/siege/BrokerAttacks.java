package io.sealbook.perf.siege;

import io.sealbook.client.Order;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** What a broker with a valid key and certificate hands in. */
final class BrokerAttacks {
    private static final int ORDERS_MAX = 10;
    private static final int SESSION = 1;
    private static final int TWICE_SESSION = 2;
    private static final int GAP_SESSION = 3;
    private static final int FLOOD_BATCHES = 2_000;
    private static final long SEED = 51;
    private static final Set<String> TAKEN = Set.of("ACCEPTED", "ALREADY_KNOWN");

    private BrokerAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "wrong-batches",
                        "a broker hands in what it may not, each in one way; found: another reply than the reason",
                        BrokerAttacks::wrongBatches),
                new Attack(
                        "bad-signatures",
                        FLOOD_BATCHES + " batches with a wrong signature; found: one is taken, or others wait",
                        BrokerAttacks::badSignatures),
                new Attack(
                        "equivocation",
                        "two batches under one number, at two nodes; found: the session goes on, or others wait",
                        BrokerAttacks::equivocation));
    }

    /** Returns a sealer of the attacker's batches in a session. */
    private static BatchSealer sealer(Besieged besieged, int broker, long chain, BatchPosition first)
            throws IOException {
        Signer key = KeyFile.readSigner(
                besieged.cluster().directory().resolve("broker" + Identities.ATTACKER + "/broker.key"));
        return new BatchSealer(chain, broker, 1, key, ORDERS_MAX, first);
    }

    private static long chain(Besieged besieged) {
        return besieged.cluster().genesis().genesis().getChainId();
    }

    private static byte[] batch(Besieged besieged, BatchPosition at, Order order, long validUntil) throws IOException {
        return batch(besieged, Identities.ATTACKER, chain(besieged), at, order, validUntil);
    }

    private static byte[] batch(
            Besieged besieged, int broker, long chain, BatchPosition at, Order order, long validUntil)
            throws IOException {
        return sealer(besieged, broker, chain, at)
                .seal(List.of(order), validUntil, System.currentTimeMillis() * 1_000_000)
                .signedBytes();
    }

    private static Order order(long clOrdId, int account, int instrument) {
        return Order.limit(clOrdId, account, instrument, Side.BUY, 9_500, 1);
    }

    private static long head(Besieged besieged) throws IOException {
        return besieged.cluster()
                .nodeStatus(0)
                .orElseThrow(() -> new IOException("node 0 does not answer"))
                .getLastDelivered();
    }

    private static AttackResult wrongBatches(Besieged besieged) throws Exception {
        BatchPosition first = BatchPosition.first(SESSION);
        long valid = head(besieged) + 1_000;
        Order good = order(1, Identities.ATTACKER, 1);
        byte[] right = batch(besieged, first, good, valid);
        byte[] unsigned = right.clone();
        unsigned[unsigned.length - 5] ^= 1;
        Map<String, byte[]> wrong = new LinkedHashMap<>();
        wrong.put("BAD_SIGNATURE", unsigned);
        wrong.put("MALFORMED", Arrays.copyOf(right, right.length - 1));
        wrong.put("INVALID_ACCOUNT", batch(besieged, first, order(1, Identities.HONEST_BROKER, 1), valid));
        wrong.put("UNKNOWN_INSTRUMENT", batch(besieged, first, order(1, Identities.ATTACKER, 99), valid));
        wrong.put("VALIDITY_TOO_FAR", batch(besieged, first, good, valid + 1_000_000_000));
        wrong.put("WRONG_CHAIN", batch(besieged, Identities.ATTACKER, chain(besieged) + 1, first, good, valid));
        wrong.put("UNKNOWN_BROKER", batch(besieged, 77, chain(besieged), first, good, valid));
        wrong.put("UNKNOWN_SESSION", batch(besieged, BatchPosition.first(60_000), good, valid));
        wrong.put(
                "SEQUENCE_GAP",
                batch(besieged, new BatchPosition(GAP_SESSION, 5, Digest.of(new byte[Digest.LENGTH])), good, valid));
        List<String> faults = new ArrayList<>();
        try (RawOrders orders = new RawOrders(besieged, 0)) {
            for (Map.Entry<String, byte[]> each : wrong.entrySet()) {
                expect(each.getKey(), orders.submit(each.getValue()), faults);
            }
            // As broker 1, with the attacker's key.
            byte[] stolen = batch(
                    besieged,
                    Identities.HONEST_BROKER,
                    chain(besieged),
                    BatchPosition.first(7),
                    order(1, Identities.HONEST_BROKER, 1),
                    valid);
            String reply = orders.submit(stolen);
            if (TAKEN.contains(reply)) {
                faults.add("a batch in the name of broker 1 was " + reply);
            }
            expect("MALFORMED", orders.submit(DoorRequests.ofMember(0)), faults);
            expect("ACCEPTED", orders.submit(right), faults);
            expect("ALREADY_KNOWN", orders.submit(right), faults);
        }
        besieged.awaitProgress();
        return AttackResult.of(wrong.size() + 4, "replies name the reason", faults);
    }

    private static void expect(String expected, String reply, List<String> faults) {
        if (!reply.equals(expected)) {
            faults.add("expected " + expected + ", came " + reply);
        }
    }

    private static AttackResult badSignatures(Besieged besieged) throws Exception {
        byte[] batch = batch(
                besieged, BatchPosition.first(SESSION + 3), order(1, Identities.ATTACKER, 1), head(besieged) + 1_000);
        Random random = new Random(SEED);
        try (RawOrders orders = new RawOrders(besieged, 0);
                AttackLoop loop = AttackLoop.begin("bad-signatures", () -> submitForged(orders, batch, random))) {
            loop.awaitRounds(1);
            long before = besieged.load().receipts();
            List<String> faults = Service.faults(besieged);
            loop.awaitRounds(Math.max(1, FLOOD_BATCHES - loop.rounds()));
            return faults.isEmpty()
                    ? AttackResult.held(loop.rounds() + " refused, and the honest brokers got "
                            + (besieged.load().receipts() - before) + " receipts meanwhile")
                    : AttackResult.found(String.join("; ", faults));
        }
    }

    private static void submitForged(RawOrders orders, byte[] batch, Random random)
            throws IOException, InterruptedException {
        byte[] forged = batch.clone();
        forged[forged.length - 1 - random.nextInt(32)] ^= (byte) (1 + random.nextInt(255));
        String reply = orders.submit(forged);
        if (!reply.equals("BAD_SIGNATURE")) {
            throw new IOException("a batch with a wrong signature: " + reply);
        }
    }

    private static AttackResult equivocation(Besieged besieged) throws Exception {
        BatchPosition first = BatchPosition.first(TWICE_SESSION);
        long valid = head(besieged) + 1_000;
        byte[] one = batch(besieged, first, order(11, Identities.ATTACKER, 1), valid);
        byte[] other = batch(besieged, first, order(12, Identities.ATTACKER, 1), valid);
        try (RawOrders here = new RawOrders(besieged, 0);
                RawOrders there = new RawOrders(besieged, 1)) {
            here.submit(one);
            there.submit(other);
            // Whichever came first: the other one under the same number is evidence at this node.
            here.submit(other);
            Await.fact(
                    "the suspension of the session at node 0",
                    () -> here.submit(other).equals("SESSION_SUSPENDED"));
            String next = here.submit(
                    batch(besieged, BatchPosition.first(TWICE_SESSION + 6), order(13, Identities.ATTACKER, 1), valid));
            if (!next.equals("ACCEPTED")) {
                return AttackResult.found("another session of the broker: " + next);
            }
        }
        besieged.awaitProgress();
        return evidence(besieged);
    }

    /** The evidence convinces its tool, and a forged one does not. */
    private static AttackResult evidence(Besieged besieged) throws Exception {
        Path node = besieged.cluster().directory().resolve("node0");
        Path file = node.resolve("evidence/equivocation-" + Identities.ATTACKER + "-" + TWICE_SESSION);
        String genesis = node.resolve("genesis.json").toString();
        List<String> faults = new ArrayList<>();
        if (judge(file, genesis, node.resolve("archive")) != 0) {
            faults.add("the evidence of node 0 proves nothing");
        }
        byte[] genuine = Files.readAllBytes(file);
        Path forged = besieged.scratch("evidence").resolve("forged");
        int forgeries = 0;
        for (int at = 0; at < genuine.length; at += Math.max(1, genuine.length / 40)) {
            byte[] bytes = genuine.clone();
            bytes[at] ^= 0x10;
            Files.write(forged, bytes);
            forgeries++;
            if (judge(forged, genesis, node.resolve("archive")) == 0) {
                faults.add("evidence with another byte at " + at + " convinces");
            }
        }
        return AttackResult.of(forgeries, "forged evidences convince nobody; the session is suspended", faults);
    }

    private static int judge(Path file, String genesis, Path archive) {
        return NodeTool.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(new StringWriter()))
                .execute("evidence", file.toString(), "--genesis", genesis, "--archive", archive.toString());
    }
}
