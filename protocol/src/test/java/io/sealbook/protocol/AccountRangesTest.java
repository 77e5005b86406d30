package io.sealbook.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountRangesTest {
    @Test
    void shouldContainNothingWithoutARange() {
        AccountRanges none = AccountRanges.of(Broker.getDefaultInstance());

        assertThat(none).isEqualTo(AccountRanges.NONE).hasToString("");
        assertThat(none.contains(0)).isFalse();
        assertThat(none.contains(1)).isFalse();
        assertThat(none.contains(-1)).isFalse();
        assertThatThrownBy(none::lowest).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void shouldTakeAccountsAsUnsignedAndARangeWithoutAnEndAsOneAccount() {
        AccountRanges ranges = AccountRanges.of(Broker.newBuilder()
                .addAccounts(range(0x8000_0000, -1))
                .addAccounts(range(7, 0))
                .addAccounts(range(0, 0))
                .addAccounts(range(1_000, 1_999))
                .build());

        assertThat(ranges).hasToString("0, 7, 1000-1999, 2147483648-4294967295");
        assertThat(List.of(0, 7, 1_000, 1_999, Integer.MIN_VALUE, -1)).allMatch(ranges::contains);
        assertThat(ranges.lowest()).isZero();
        assertThat(List.of(1, 6, 8, 999, 2_000, Integer.MAX_VALUE)).noneMatch(ranges::contains);
    }

    @Test
    void shouldContainEveryAccount() {
        assertThat(List.of(0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1)).allMatch(AccountRanges.ALL::contains);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldAgreeWithASet(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Set<Integer> expected = new TreeSet<>();
            Broker.Builder broker = Broker.newBuilder();
            int next = 1;
            for (int i = random.nextInt(6); i > 0; i--) {
                int first = next + random.nextInt(3);
                int last = first + random.nextInt(3);
                broker.addAccounts(random.nextInt(broker.getAccountsCount() + 1), range(first, last));
                for (int id = first; id <= last; id++) {
                    expected.add(id);
                }
                next = last + 1;
            }
            AccountRanges ranges = AccountRanges.of(broker.build());
            for (int id = 0; id < 40; id++) {
                assertThat(ranges.contains(id)).as(id + " in " + ranges).isEqualTo(expected.contains(id));
            }
        }
    }

    private static AccountRange range(int first, int last) {
        return AccountRange.newBuilder().setFirst(first).setLast(last).build();
    }
}
