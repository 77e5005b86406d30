package io.sealbook.chaos.fault;

import io.sealbook.perf.proxy.LinkCondition;
import io.sealbook.perf.proxy.LinkTable;
import io.sealbook.perf.proxy.MemberProxy;
import java.util.Random;
import java.util.function.IntPredicate;

/** Draws the faults of links. */
final class LinkDraw {
    private static final long DELAY_MS_MAX = 400;
    private static final long BYTES_PER_SECOND_MIN = 20_000;
    private static final long BYTES_PER_SECOND_SPREAD = 500_000;
    private static final int CUTS_PER_THOUSAND_MAX = 100;
    private static final long PERIOD_MS_MIN = 100;
    private static final long PERIOD_MS_SPREAD = 900;
    private static final IntPredicate ALL = node -> true;

    private final MemberProxy proxy;
    private final LinkTable links;
    private final Random random;

    LinkDraw(MemberProxy proxy, LinkTable links, Random random) {
        this.proxy = proxy;
        this.links = links;
        this.random = random;
    }

    InjectedFault next(FaultKind kind) {
        int node = random.nextInt(links.size());
        return switch (kind) {
            case DELAY -> slow(node);
            case LOSS -> loss(node);
            case PARTITION -> partition(node);
            case FLAP ->
                new FlappingLinks(
                        ofMember(node, "all links of", broken()), PERIOD_MS_MIN + random.nextLong(PERIOD_MS_SPREAD));
            default -> throw new IllegalArgumentException(kind + " strikes no link");
        };
    }

    private InjectedFault slow(int node) {
        long delayMs = 1 + random.nextLong(DELAY_MS_MAX);
        long bytes = BYTES_PER_SECOND_MIN + random.nextLong(BYTES_PER_SECOND_SPREAD);
        return switch (random.nextInt(3)) {
            case 0 -> fault(delayMs / 4 + " ms on all links", ALL, ALL, LinkCondition.slow(delayMs / 4, 0));
            case 1 -> ofMember(node, delayMs + " ms on the links of", LinkCondition.slow(delayMs, 0));
            default -> ofMember(node, bytes + " bytes/s on the links of", LinkCondition.slow(0, bytes));
        };
    }

    private InjectedFault loss(int node) {
        int cuts = 1 + random.nextInt(CUTS_PER_THOUSAND_MAX);
        return random.nextBoolean()
                ? ofMember(node, cuts + " of 1000 reads cut the links of", LinkCondition.lossy(cuts))
                : fault(cuts / 4 + " of 1000 reads cut any link", ALL, ALL, LinkCondition.lossy(cuts / 4));
    }

    private InjectedFault partition(int node) {
        IntPredicate isNode = each -> each == node;
        return switch (random.nextInt(4)) {
            case 0 -> fault("one way from node " + node, isNode, ALL, LinkCondition.HELD);
            case 1 -> fault("one way to node " + node, ALL, isNode, LinkCondition.HELD);
            case 2 -> halves();
            default -> ofMember(node, "all links of", broken());
        };
    }

    /** No half is a quorum: nothing is committed until it is healed. */
    private InjectedFault halves() {
        int half = links.size() / 2;
        int first = random.nextInt(links.size());
        IntPredicate isHere = node -> (node - first + links.size()) % links.size() < half;
        LinkCondition condition = broken();
        return new BothWays(
                fault("halves, from node " + first, isHere, isHere.negate(), condition),
                fault("halves", isHere.negate(), isHere, condition));
    }

    private LinkCondition broken() {
        return random.nextBoolean() ? LinkCondition.HELD : LinkCondition.CUT;
    }

    private InjectedFault ofMember(int node, String words, LinkCondition condition) {
        String target = words + " node " + node + (condition.isHeld() ? ", held" : condition.isCut() ? ", cut" : "");
        IntPredicate isNode = each -> each == node;
        return new BothWays(fault(target, isNode, ALL, condition), fault(target, ALL, isNode, condition));
    }

    private InjectedFault fault(String target, IntPredicate from, IntPredicate to, LinkCondition condition) {
        return new LinkFault(target, proxy, links, from, to, condition);
    }
}
