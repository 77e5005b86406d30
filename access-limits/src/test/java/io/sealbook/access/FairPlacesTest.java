package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairPlacesTest {
    private final FairPlaces<String> places = new FairPlaces<>(4);

    @Test
    void shouldTakeNobodysPlaceWhileThereAreFreeOnes() throws Exception {
        for (String holder : List.of("a", "b", "c", "d")) {
            assertThat(places.take(holder, address(1))).isNull();
        }

        assertThat(places.takenCount()).isEqualTo(4);
    }

    @Test
    void shouldTakeTheOldestPlaceOfTheAddressThatHoldsMost() throws Exception {
        places.take("first of 1", address(1));
        places.take("first of 2", address(2));
        places.take("second of 2", address(2));
        places.take("third of 2", address(2));

        assertThat(places.take("first of 3", address(3))).isEqualTo("first of 2");
        assertThat(places.take("fourth of 2", address(2))).isEqualTo("second of 2");
        assertThat(places.takenCount()).isEqualTo(4);
    }

    @Test
    void shouldTakeTheOldestWhenAllAddressesHoldAsMany() throws Exception {
        for (int i = 1; i <= 4; i++) {
            places.take("of " + i, address(i));
        }

        assertThat(places.take("of 5", address(5))).isEqualTo("of 1");
    }

    @Test
    void shouldGiveAFreedPlaceToTheNext() throws Exception {
        for (String holder : List.of("a", "b", "c", "d")) {
            places.take(holder, address(1));
        }
        places.release("b");
        places.release("b");

        assertThat(places.take("e", address(1))).isNull();
        assertThat(places.take("f", address(1))).isEqualTo("a");
    }

    /** Whatever one address does, a holder at another one that holds fewer keeps its place. */
    @Test
    void shouldNeverTakeThePlaceOfAnAddressThatHoldsFewer() throws Exception {
        Random random = new Random(1);
        FairPlaces<Integer> many = new FairPlaces<>(16);
        List<Integer> open = new ArrayList<>();
        many.take(-1, address(1));
        for (int i = 0; i < 10_000; i++) {
            if (!open.isEmpty() && random.nextInt(4) == 0) {
                Integer closed = open.remove(random.nextInt(open.size()));
                many.release(closed);
            }
            Integer evicted = many.take(i, address(2));
            open.add(i);
            if (evicted != null) {
                assertThat(open.remove(evicted)).as("%d holds a place", evicted).isTrue();
            }
            assertThat(many.takenCount()).isEqualTo(open.size() + 1).isLessThanOrEqualTo(16);
        }
    }

    private static InetAddress address(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }
}
