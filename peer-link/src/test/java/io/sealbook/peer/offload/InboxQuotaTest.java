package io.sealbook.peer.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.peer.frame.FrameAuthenticator;
import org.junit.jupiter.api.Test;

class InboxQuotaTest {
    private static final int PEER = 1;
    private static final int SHORT = 1;

    private final Link link = new Link();

    @Test
    void shouldPauseAtTheLimitAndResumeWhenHalfIsGone() {
        InboxQuota quota = new InboxQuota(2, 4);
        for (int i = 0; i < 3; i++) {
            quota.take(link, SHORT);
        }
        assertThat(link.isPaused).isFalse();

        quota.take(link, SHORT);
        assertThat(link.isPaused).isTrue();

        quota.giveBack(PEER, SHORT);
        assertThat(link.isPaused).isTrue();
        quota.giveBack(PEER, SHORT);
        assertThat(link.isPaused).isFalse();
    }

    @Test
    void shouldWeighALongMessageByItsLength() {
        InboxQuota quota = new InboxQuota(2, 4);

        quota.take(link, 4 * InboxQuota.WEIGHT_BYTES);
        assertThat(link.isPaused).isTrue();

        quota.giveBack(PEER, 4 * InboxQuota.WEIGHT_BYTES);
        assertThat(link.isPaused).isFalse();
    }

    @Test
    void shouldReadOnIfAllIsGivenBackBeforeThePause() {
        InboxQuota quota = new InboxQuota(2, 1);
        link.onPause = () -> quota.giveBack(PEER, SHORT);

        quota.take(link, SHORT);

        assertThat(link.isPaused).isFalse();
    }

    private static final class Link implements IngressLink {
        private volatile boolean isPaused;
        private Runnable onPause = () -> {};

        @Override
        public void pause() {
            onPause.run();
            isPaused = true;
        }

        @Override
        public void resume() {
            isPaused = false;
        }

        @Override
        public int peerId() {
            return PEER;
        }

        @Override
        public int peerEpoch() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FrameAuthenticator authenticator() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void refuse(String fact) {
            throw new UnsupportedOperationException(fact);
        }

        @Override
        public boolean isRefused() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void rest(long forNs) {
            throw new UnsupportedOperationException();
        }
    }
}
