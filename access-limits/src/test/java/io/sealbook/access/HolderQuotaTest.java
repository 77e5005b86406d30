package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.access.HolderQuota.Answer;
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

    private static InetAddress address(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }
}
