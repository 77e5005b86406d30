package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** TOCS 2002, section 4.4: what a VIEW-CHANGE and a NEW-VIEW must be before they count (pitfalls 8, 11 and 16). */
class NewViewDoorTest {
    private static final Digest DIGEST = TestCluster.batchId(900);
    private static final StableCertificate UNPROVEN = new StableCertificate(4, DIGEST, DIGEST, DIGEST, List.of());

    private final TestCluster cluster = new TestCluster(4);
    private final List<NewView> captured = new ArrayList<>();

    /** Replica 1 begins view 1, and no other hears of it. */
    @BeforeEach
    void captureANewView() {
        cluster.link = (from, to, message) -> !(message instanceof NewView newView && captured.add(newView));
        cluster.submit(i -> i != 0);
        for (int replica : new int[] {2, 3}) {
            cluster.fire(replica, Timer.REQUEST);
        }
        cluster.run();
    }

    private NewView genuine() {
        return captured.getFirst();
    }

    private static ViewChange viewChange(long newView, StableCertificate stable, int sender) {
        byte[] signedBytes = ViewChange.signedBytes(TestCluster.EPOCH, newView, stable, List.of(), sender);
        return new ViewChange(newView, stable, List.of(), sender, sign(sender, signedBytes));
    }

    private static Signature sign(int replica, byte[] signedBytes) {
        return Signature.of(TestCluster.signerOf(replica).sign(signedBytes));
    }

    private static NewView newView(List<ViewChange> viewChanges, List<PrePrepare> prePrepares, int sender) {
        byte[] signedBytes = NewView.signedBytes(TestCluster.EPOCH, 1, viewChanges, prePrepares, sender);
        return new NewView(1, viewChanges, prePrepares, sender, sign(sender, signedBytes));
    }

    /** Replica 3 refuses the NEW-VIEW and does not enter the view. */
    private void shouldRefuse(NewView forged, IgnoreReason reason) {
        cluster.receive(3, forged);

        assertThat(cluster.node(3).ignored()).contains(reason);
        assertThat(cluster.replica(3).isViewActive()).isFalse();
    }

    @Test
    void shouldEnterTheGenuineOne() {
        cluster.receive(3, genuine());

        assertThat(cluster.replica(3).isViewActive()).isTrue();
        assertThat(cluster.replica(3).view()).isEqualTo(1);
    }

    @Test
    void shouldRefuseANewViewOfAReplicaThatIsNotItsPrimary() {
        shouldRefuse(newView(genuine().viewChanges(), List.of(), 2), IgnoreReason.WRONG_ROLE);
    }

    @Test
    void shouldCountEachReplicaOnceInANewView() {
        ViewChange first = genuine().viewChanges().getFirst();
        ViewChange second = genuine().viewChanges().get(1);

        shouldRefuse(newView(List.of(first, second, second), List.of(), 1), IgnoreReason.MALFORMED);
    }

    @Test
    void shouldRefuseANewViewWithAViewChangeForAnotherView() {
        List<ViewChange> viewChanges = new ArrayList<>(genuine().viewChanges());
        ViewChange last = viewChanges.removeLast();
        viewChanges.add(viewChange(2, last.stableCertificate(), last.sender()));

        shouldRefuse(newView(viewChanges, List.of(), 1), IgnoreReason.MALFORMED);
    }

    @Test
    void shouldRefuseANewViewWithACertificateThatProvesNothing() {
        List<ViewChange> viewChanges = new ArrayList<>(genuine().viewChanges());
        ViewChange last = viewChanges.removeLast();
        viewChanges.add(viewChange(1, UNPROVEN, last.sender()));

        shouldRefuse(newView(viewChanges, List.of(), 1), IgnoreReason.MALFORMED);
    }

    @Test
    void shouldRefuseAViewChangeWithACertificateThatProvesNothing() {
        cluster.receive(3, viewChange(7, UNPROVEN, 0));

        assertThat(cluster.node(3).ignored()).contains(IgnoreReason.MALFORMED);
    }

    @Test
    void shouldKeepTheFirstViewChangeOfAReplicaForAView() {
        cluster.receive(3, viewChange(7, StableCertificate.GENESIS, 0));
        int before = cluster.node(3).ignored().size();

        cluster.receive(3, viewChange(7, StableCertificate.GENESIS, 0));

        assertThat(cluster.node(3).ignored()).hasSize(before + 1).endsWith(IgnoreReason.DUPLICATE);
    }

    @Test
    void shouldCountEachSignerOfACertificateOnce() {
        Certificates certificates = new Certificates(
                ReplicaConfig.builder(0, 4, TestCluster.CHAIN_ID).build(), Quorum.of(4));

        assertThat(certificates.isValid(signedBy(0, 1, 2))).isTrue();
        assertThat(certificates.isValid(signedBy(0, 0, 0))).isFalse();
        assertThat(certificates.isValid(signedBy(0, 1, 4))).isFalse();
    }

    private static StableCertificate signedBy(int... replicas) {
        List<ReplicaSignature> signatures = new ArrayList<>();
        for (int replica : replicas) {
            signatures.add(new ReplicaSignature(replica, sign(replica, new byte[] {1})));
        }
        return new StableCertificate(4, DIGEST, DIGEST, DIGEST, signatures);
    }
}
