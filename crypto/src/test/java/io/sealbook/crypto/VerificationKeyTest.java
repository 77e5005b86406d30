package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VerificationKeyTest {
    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldEqualByContent(SignatureScheme scheme) {
        VerificationKey key = TestKeys.key(scheme, new Random(51)).verificationKey();
        VerificationKey same = VerificationKey.of(scheme, key.point());

        assertThat(same).isEqualTo(key).hasSameHashCodeAs(key);
        key.point()[0] ^= 1;
        assertThat(same).isEqualTo(key);
        assertThat(TestKeys.key(scheme, new Random(52)).verificationKey()).isNotEqualTo(key);
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldRefusePointsOffTheCurve(SignatureScheme scheme) {
        Random random = new Random(53);
        for (int i = 0; i < 100; i++) {
            byte[] point = TestKeys.key(scheme, random).verificationKey().point();
            point[random.nextInt(point.length)] ^= (byte) (1 << random.nextInt(8));

            assertThatThrownBy(() -> VerificationKey.of(scheme, point)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(SignatureScheme.class)
    void shouldRefuseCoordinatesBeyondTheField(SignatureScheme scheme) {
        byte[] beyond = new byte[SignatureScheme.POINT_LENGTH];
        Arrays.fill(beyond, (byte) 0xFF);

        assertThatThrownBy(() -> VerificationKey.of(scheme, beyond)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> VerificationKey.of(scheme, new byte[64])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> VerificationKey.of(scheme, new byte[65])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldTellKeysOfDifferentUsersApart() {
        byte[] point = TestKeys.key(SignatureScheme.SM2_SM3, new Random(54))
                .verificationKey()
                .point();
        VerificationKey alice = VerificationKey.ofSm2(point, "alice".getBytes());

        assertThat(alice).isNotEqualTo(VerificationKey.of(SignatureScheme.SM2_SM3, point));
        assertThat(alice.userId()).asString().isEqualTo("alice");
        assertThatThrownBy(() -> VerificationKey.ofSm2(point, new byte[8192]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKnowSchemesByCode() {
        for (SignatureScheme scheme : SignatureScheme.values()) {
            assertThat(SignatureScheme.of(scheme.code())).isEqualTo(scheme);
        }
        assertThatThrownBy(() -> SignatureScheme.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SignatureScheme.of(3)).isInstanceOf(IllegalArgumentException.class);
    }
}
