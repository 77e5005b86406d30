package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.access.HolderQuota.Answer;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class HolderQuotaTest {
    private final HolderQuota quota = new HolderQuota(3, 2);

    @Test
    void shouldGiveEachAddressItsShareOfTheTotal() throws Exception {
        assertThat(quota.take(address(1))).isEqualTo(Answer.TAKEN);
        assertThat(quota.take(address(1))).isEqualTo(Answer.TAKEN);
        assertThat(quota.take(address(1))).isEqualTo(Answer.HOLDER_HAS_ENOUGH);
        assertThat(quota.take(address(2))).isEqualTo(Answer.TAKEN);
        assertThat(quota.take(address(3))).isEqualTo(Answer.ALL_ARE_TAKEN);
        assertThat(quota.count()).isEqualTo(3);
    }

    @Test
    void shouldTakeBackWhatItGave() throws Exception {
        quota.take(address(1));
        quota.take(address(1));
        quota.release(address(1));

        assertThat(quota.take(address(1))).isEqualTo(Answer.TAKEN);
        quota.release(address(1));
        quota.release(address(1));
        assertThat(quota.count()).isZero();
    }

    @Test
    void shouldKeepPlacesForEachRole() {
        HolderQuota roles = new HolderQuota(32, 32);
        for (int broker = 1; broker <= 100; broker++) {
            roles.take(caller(Role.BROKER, broker));
        }

        // 8 are the brokers', 12 are common; 4 each are auditors', members' and the public's.
        assertThat(roles.count()).isEqualTo(20);
        assertThat(roles.take(caller(Role.BROKER, 101))).isEqualTo(Answer.ALL_ARE_TAKEN);
        for (int i = 1; i <= 4; i++) {
            assertThat(roles.take(caller(Role.AUDITOR, i))).isEqualTo(Answer.TAKEN);
            assertThat(roles.take(caller(Role.MEMBER, i))).isEqualTo(Answer.TAKEN);
        }
        assertThat(roles.take(caller(Role.AUDITOR, 5))).isEqualTo(Answer.ALL_ARE_TAKEN);
        assertThat(roles.describe(Answer.ALL_ARE_TAKEN, caller(Role.AUDITOR, 5), "calls"))
                .isEqualTo("32 calls are open, the most that are served without those reserved for other roles than"
                        + " auditor");
        assertThat(roles.count()).isEqualTo(28);
    }

    @Test
    void shouldLeavePlacesForANewBrokerHoweverGreedyTheOthersAre() {
        for (int greedy = 1; greedy <= 8; greedy++) {
            HolderQuota places = new HolderQuota(256, 64);
            Answer last = Answer.TAKEN;
            for (int round = 0; round < 256; round++) {
                for (int broker = 1; broker <= greedy; broker++) {
                    last = places.take(caller(Role.BROKER, broker));
                }
            }

            assertThat(last).isIn(Answer.HOLDER_HAS_ENOUGH, Answer.REST_IS_FOR_OTHERS);
            for (int i = 0; i < 256 * 5 / 8 / (greedy + 1) / 2; i++) {
                assertThat(places.take(caller(Role.BROKER, 99)))
                        .as("place %d beside %d greedy brokers", i, greedy)
                        .isEqualTo(Answer.TAKEN);
            }
        }
    }

    @Test
    void shouldMoveAPlaceToTheCallerThatHasProvenItself() throws Exception {
        quota.take(address(1));
        quota.take(caller(Role.BROKER, 1));

        assertThat(quota.replace(address(1), caller(Role.BROKER, 2))).isEqualTo(Answer.TAKEN);
        assertThat(quota.replace(caller(Role.BROKER, 1), caller(Role.BROKER, 2)))
                .as("one of three places is left, and it has one")
                .isEqualTo(Answer.TAKEN);
        assertThat(quota.take(caller(Role.BROKER, 2))).isEqualTo(Answer.HOLDER_HAS_ENOUGH);
        quota.take(address(2));
        assertThat(quota.replace(address(2), caller(Role.BROKER, 2)))
                .as("the place is free then")
                .isEqualTo(Answer.HOLDER_HAS_ENOUGH);
        assertThat(quota.count()).isEqualTo(2);
        quota.release(caller(Role.BROKER, 2));
        quota.release(caller(Role.BROKER, 2));
        assertThat(quota.count()).isZero();
    }

    @Test
    void shouldSayForWhomTheRestIs() {
        HolderQuota few = new HolderQuota(4, 4);
        few.take(caller(Role.BROKER, 1));
        few.take(caller(Role.BROKER, 1));

        Answer answer = few.take(caller(Role.BROKER, 1));

        assertThat(answer).isEqualTo(Answer.REST_IS_FOR_OTHERS);
        assertThat(few.describe(answer, caller(Role.BROKER, 1), "calls"))
                .isEqualTo("broker 1 has as many calls open as are left for others");
    }

    private static Caller caller(Role role, int id) {
        return new Caller(role, id);
    }

    private static InetAddress address(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }
}
