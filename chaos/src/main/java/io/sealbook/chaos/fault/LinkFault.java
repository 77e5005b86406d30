package io.sealbook.chaos.fault;

import io.sealbook.perf.proxy.LinkCondition;
import io.sealbook.perf.proxy.LinkTable;
import io.sealbook.perf.proxy.MemberProxy;
import java.util.function.IntPredicate;

/**
 * Some links between members have another condition; healing makes all links good.
 *
 * @param target what is struck, in words
 * @param proxy whose connections are cut where the condition says so
 * @param links of the proxy
 * @param from senders
 * @param to receivers
 * @param condition of each direction from a sender to a receiver
 */
record LinkFault(
        String target, MemberProxy proxy, LinkTable links, IntPredicate from, IntPredicate to, LinkCondition condition)
        implements InjectedFault {
    @Override
    public void inject() {
        for (int i = 0; i < links.size(); i++) {
            for (int j = 0; j < links.size(); j++) {
                if (i != j && from.test(i) && to.test(j)) {
                    links.set(i, j, condition);
                }
            }
        }
        proxy.cutConnections();
    }

    @Override
    public void heal() {
        links.heal();
    }
}
