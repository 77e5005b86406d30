-------------------------------- MODULE Pbft --------------------------------
(* The agreement protocol of pbft/doc/protocol.md, as the module pbft implements it. README.md says what is left out.

   Messages are facts that stay true: a replica may act on any of them at any time, or never. So loss, delay,
   duplication and reordering need no actions. A faulty replica needs none either: it supports whatever its signature
   suffices for, always, so each count of votes includes the faulty replicas. It cannot sign for others.

   A digest stands for a proposal and for all before it, because proposals form a chain.

   What a replica delivered, and which checkpoint it holds, follows from what is committed: it may deliver a committed
   block at once, later, or again after a crash that its archive did not survive. So both are no variables. An action
   names what it assumes of them: `done`, the last delivered digest, and `stable`, that of the stable checkpoint. *)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Replica,
    Quorum,             \* Q of the protocol
    Faulty,             \* the sets of replicas that may be faulty together
    View,               \* views, from 0 on
    Digest,             \* of all proposals that a primary may make
    Origin,             \* digest of the block before the first
    Window,             \* L of the protocol
    Bugs,               \* planted mistakes, {} for the protocol
    Primary(_),         \* of a view
    Previous(_),        \* digest that a proposal names
    Sequence(_),        \* of a proposal
    MadeIn(_),          \* view in which a proposal was first made
    Ancestor(_, _)      \* the digest at a sequence number on the chain of a digest

VARIABLES
    faulty,             \* the faulty replicas of this behaviour
    \* Of each correct replica: what its log holds.
    view,               \* in which it is or to which it changes
    active,             \* whether that view began here
    accepted,           \* digests that it accepted in the view
    fixed,              \* last sequence number that the NEW-VIEW of the view fixed
    prepared,           \* its prepared certificates, as <<view, digest>>
    \* What correct replicas have signed or sent.
    votes,              \* PRE-PREPAREs and PREPAREs, as <<replica, view, digest>>
    commits,            \* COMMITs, as <<replica, view, digest>>
    viewChanges,        \* VIEW-CHANGEs
    newViews            \* NEW-VIEWs of correct primaries

own == <<view, active, accepted, fixed, prepared>>
said == <<votes, commits, viewChanges, newViews>>
vars == <<faulty, own, said>>

Correct == Replica \ faulty
Last(d) == Sequence(d)
Max(a, b) == IF a > b THEN a ELSE b

-----------------------------------------------------------------------------
(* What messages prove. *)

IsPrePrepared(v, d) == Primary(v) \in faulty \/ <<Primary(v), v, d>> \in votes

(* A prepared certificate exists, or a faulty replica can make one. *)
IsCertified(v, d) ==
    /\ IsPrePrepared(v, d)
    /\ MadeIn(d) <= v
    /\ Cardinality({r \in Correct : <<r, v, d>> \in votes} \cup faulty) >= Quorum

IsCommitted(v, d) == Cardinality({r \in Correct : <<r, v, d>> \in commits} \cup faulty) >= Quorum

(* A correct replica may have delivered it: all before it are committed, too. f + 1 that report it prove no more. *)
RECURSIVE IsDelivered(_)
IsDelivered(d) == d = Origin \/ ((\E v \in View : IsCommitted(v, d)) /\ IsDelivered(Previous(d)))

(* A stable certificate may exist: any correct replica can deliver the block and sign its CHECKPOINT. *)
IsStable(d) == IsDelivered(d)

(* The highest certificate for each sequence number: what a VIEW-CHANGE shows. *)
Highest(certificates) ==
    {c \in certificates : \A e \in certificates : Last(e[2]) = Last(c[2]) => e[1] <= c[1]}

ViewChange(r, v, stable, certificates) ==
    [from |-> r, view |-> v, stable |-> stable,
     prepared |-> Highest({c \in certificates : Last(c[2]) > Last(stable)})]

(* What a faulty replica may show. *)
IsValidViewChange(vc) ==
    /\ IsStable(vc.stable)
    /\ \A c \in vc.prepared : c[1] < vc.view /\ Last(c[2]) > Last(vc.stable) /\ IsCertified(c[1], c[2])
    /\ \A c, e \in vc.prepared : Last(c[2]) = Last(e[2]) => c = e

(* Rule 8: the chain to which a set of VIEW-CHANGEs obliges. *)
HighestStable(shown) ==
    (CHOOSE vc \in shown : \A other \in shown : Last(other.stable) <= Last(vc.stable)).stable

RECURSIVE Extend(_, _)
Extend(d, certificates) ==
    LET next == Highest({c \in certificates : Last(c[2]) = Last(d) + 1})
        chosen == IF "noHighest" \in Bugs
                  THEN {c \in certificates : Last(c[2]) = Last(d) + 1}
                  ELSE next
        fits == {c \in chosen : "noChain" \in Bugs \/ Previous(c[2]) = d}
    IN IF fits = {} THEN d ELSE Extend((CHOOSE c \in fits : TRUE)[2], certificates)

Obligation(v, shown) ==
    LET from == HighestStable(shown)
        certificates == IF "hidePrepared" \in Bugs THEN {} ELSE UNION {vc.prepared : vc \in shown}
    IN [view |-> v, stable |-> from, tip |-> Extend(from, certificates)]

IsQuorumFor(v, shown) ==
    /\ Cardinality(shown) >= Quorum
    /\ Cardinality({vc.from : vc \in shown}) = Cardinality(shown)
    /\ \A vc \in shown : /\ vc.view = v
                         /\ IF vc.from \in faulty THEN IsValidViewChange(vc) ELSE vc \in viewChanges

-----------------------------------------------------------------------------
(* What a replica knows of the chain, given what it delivered and its checkpoint: ProposalChain. *)

At(done, stable, n) == IF n = Last(stable) THEN stable ELSE Ancestor(done, n)

Known(done, stable) == Max(Last(done), Last(stable))

(* The proposal names what this replica delivered or accepted before it, and is not another than it delivered. *)
Continues(done, stable, d, among) ==
    /\ IF Last(d) - 1 <= Known(done, stable)
       THEN Previous(d) = At(done, stable, Last(d) - 1)
       ELSE Previous(d) \in among
    /\ Last(d) <= Last(done) => Ancestor(done, Last(d)) = d

IsInWindow(stable, n) == Last(stable) < n /\ n <= Last(stable) + Window

HasAccepted(r, n) == \E d \in accepted[r] : Last(d) = n

IsTransferring(done, stable) == Last(done) < Last(stable)

MayVote(r, done, stable) == active[r] /\ ~IsTransferring(done, stable)

-----------------------------------------------------------------------------
(* The normal case: Ordering. *)

MayAccept(r, d, done, stable) ==
    /\ active[r]
    /\ MadeIn(d) = view[r]
    /\ IsInWindow(stable, Last(d))
    /\ Last(d) > fixed[r]
    /\ ~HasAccepted(r, Last(d))
    /\ Last(d) - 1 <= Last(done) \/ (Last(d) - 1 > Last(stable) /\ HasAccepted(r, Last(d) - 1))
    /\ Continues(done, stable, d, accepted[r])

Propose(r, d, done, stable) ==
    /\ r = Primary(view[r])
    /\ MayVote(r, done, stable)
    /\ MayAccept(r, d, done, stable)
    /\ Last(d) > Last(done)
    /\ accepted' = [accepted EXCEPT ![r] = @ \cup {d}]
    /\ votes' = votes \cup {<<r, view[r], d>>}
    /\ UNCHANGED <<faulty, view, active, fixed, prepared, commits, viewChanges, newViews>>

(* Accepted is durable; the PREPARE counts from then on if the replica may vote. Batches are always held. *)
Accept(r, d, done, stable) ==
    /\ r /= Primary(view[r])
    /\ IsPrePrepared(view[r], d)
    /\ MayAccept(r, d, done, stable)
    /\ accepted' = [accepted EXCEPT ![r] = @ \cup {d}]
    /\ votes' = IF MayVote(r, done, stable) THEN votes \cup {<<r, view[r], d>>} ELSE votes
    /\ UNCHANGED <<faulty, view, active, fixed, prepared, commits, viewChanges, newViews>>

(* A PREPARE that had to wait: for a transfer, or for a block before it. *)
Prepare(r, d, done, stable) ==
    /\ r /= Primary(view[r])
    /\ MayVote(r, done, stable)
    /\ d \in accepted[r]
    /\ Last(d) > Last(stable)
    /\ <<r, view[r], d>> \notin votes
    /\ Continues(done, stable, d, accepted[r])
    /\ votes' = votes \cup {<<r, view[r], d>>}
    /\ UNCHANGED <<faulty, own, commits, viewChanges, newViews>>

(* Rule 3: a certificate only after that of the block before, or after its delivery. *)
MayCommit(r, d, done, stable) ==
    /\ MayVote(r, done, stable)
    /\ d \in accepted[r]
    /\ Last(d) > Last(stable)
    /\ <<r, view[r], d>> \in votes
    /\ <<view[r], d>> \notin prepared[r]
    /\ Continues(done, stable, d, accepted[r])
    /\ \/ "noOrder" \in Bugs
       \/ Last(d) - 1 <= Known(done, stable)
       \/ <<view[r], Previous(d)>> \in prepared[r]
    /\ IsCertified(view[r], d)

Commit(r, d, done, stable) ==
    /\ MayCommit(r, d, done, stable)
    /\ prepared' = [prepared EXCEPT ![r] = @ \cup {<<view[r], d>>}]
    /\ commits' = commits \cup {<<r, view[r], d>>}
    /\ UNCHANGED <<faulty, view, active, accepted, fixed, votes, viewChanges, newViews>>

-----------------------------------------------------------------------------
(* View changes. Suspicions are left out: a replica leaves whenever it likes. *)

Leave(r, v, stable) ==
    /\ v > view[r]
    /\ view' = [view EXCEPT ![r] = v]
    /\ active' = [active EXCEPT ![r] = FALSE]
    /\ viewChanges' = viewChanges \cup {ViewChange(r, v, stable, prepared[r])}
    /\ UNCHANGED <<faulty, accepted, fixed, prepared, votes, commits, newViews>>

(* The proposals of a NEW-VIEW. *)
Reproposed(nv) == {Ancestor(nv.tip, n) : n \in (Last(nv.stable) + 1) .. Last(nv.tip)}

Enter(r, nv, done, stable) ==
    /\ nv.view >= view[r]
    /\ nv.view = view[r] => ~active[r]
    /\ view' = [view EXCEPT ![r] = nv.view]
    /\ active' = [active EXCEPT ![r] = TRUE]
    /\ accepted' = [accepted EXCEPT ![r] = Reproposed(nv)]
    /\ fixed' = [fixed EXCEPT ![r] = Last(nv.tip)]
    /\ newViews' = IF Primary(nv.view) \in faulty THEN newViews ELSE newViews \cup {nv}
    \* The primary's PRE-PREPAREs are in the NEW-VIEW; a backup votes for what continues its chain.
    /\ votes' = votes \cup
           {<<r, nv.view, d>> : d \in
               IF r = Primary(nv.view) THEN Reproposed(nv)
               ELSE IF IsTransferring(done, stable) THEN {}
               ELSE {d \in Reproposed(nv) :
                        Last(d) > Last(stable) /\ Continues(done, stable, d, Reproposed(nv))}}
    /\ UNCHANGED <<faulty, prepared, commits, viewChanges>>

(* The primary begins the view by a quorum of VIEW-CHANGEs. *)
Begin(r, nv, shown, done, stable) ==
    /\ r = Primary(view[r])
    /\ ~active[r]
    /\ IsQuorumFor(view[r], shown)
    /\ nv = Obligation(view[r], shown)
    /\ Enter(r, nv, done, stable)

(* A backup computes the obligation again. A correct primary makes one NEW-VIEW of a view. *)
Follow(r, nv, done, stable) ==
    /\ nv \in newViews
    /\ r /= Primary(nv.view)
    /\ Enter(r, nv, done, stable)

(* A faulty primary may make another one for each backup. *)
FollowFaulty(r, nv, shown, done, stable) ==
    /\ Primary(nv.view) \in faulty
    /\ IsQuorumFor(nv.view, shown)
    /\ nv = Obligation(nv.view, shown)
    /\ Enter(r, nv, done, stable)

-----------------------------------------------------------------------------
(* A crash loses what only memory held; the log brings back all variables. Between views the replica sends a VIEW-CHANGE
   again, which may show another checkpoint. *)
Restart(r, stable) ==
    /\ IF "forgetVotes" \in Bugs
       THEN /\ accepted' = [accepted EXCEPT ![r] = {}]
            /\ prepared' = [prepared EXCEPT ![r] = {}]
       ELSE UNCHANGED <<accepted, prepared>>
    /\ IF "forgetView" \in Bugs /\ ~active[r]
       THEN /\ active' = [active EXCEPT ![r] = TRUE]
            /\ view' = [view EXCEPT ![r] = @ - 1]
       ELSE UNCHANGED <<active, view>>
    /\ viewChanges' = IF active'[r] THEN viewChanges
                      ELSE viewChanges \cup {ViewChange(r, view'[r], stable, prepared'[r])}
    /\ UNCHANGED <<faulty, fixed, votes, commits, newViews>>

-----------------------------------------------------------------------------
Init ==
    /\ faulty \in Faulty
    /\ view = [r \in Correct |-> 0]
    /\ active = [r \in Correct |-> TRUE]
    /\ accepted = [r \in Correct |-> {}]
    /\ fixed = [r \in Correct |-> 0]
    /\ prepared = [r \in Correct |-> {}]
    /\ votes = {}
    /\ commits = {}
    /\ viewChanges = {}
    /\ newViews = {}

Deliverable == {Origin} \cup {d \in {c[3] : c \in commits} : IsDelivered(d)}
Stable == {d \in Deliverable : IsStable(d)}

(* Sets of certificates, at most one for each sequence number, that a VIEW-CHANGE for the view may show. *)
Showable(v, stable) ==
    LET certificates == {x \in {<<y[2], y[3]>> : y \in votes} :
                             x[1] < v /\ Last(x[2]) > Last(stable) /\ IsCertified(x[1], x[2])}
    IN {shown \in SUBSET certificates : \A c, e \in shown : Last(c[2]) = Last(e[2]) => c = e}

FaultyViewChanges(v) ==
    UNION {{[from |-> b, view |-> v, stable |-> s, prepared |-> p] : p \in Showable(v, s)} :
               b \in faulty, s \in Stable}

(* All NEW-VIEWs that a quorum's VIEW-CHANGEs allow, with at most one faulty replica. *)
Possible(v) ==
    LET sent == {vc \in viewChanges : vc.view = v}
        quorums == {shown \in SUBSET sent : Cardinality(shown) = Quorum}
        almost == {shown \in SUBSET sent : Cardinality(shown) = Quorum - 1}
        all == quorums \cup (IF faulty = {} THEN {}
                             ELSE {shown \cup {vc} : shown \in almost, vc \in FaultyViewChanges(v)})
    IN {<<Obligation(v, shown), shown>> : shown \in {s \in all : IsQuorumFor(v, s)}}

Chosen(possible) == {CHOOSE x \in possible : x[1] = nv : nv \in {x[1] : x \in possible}}

Vote(r, done, stable) ==
    \/ \E d \in Digest : Propose(r, d, done, stable) \/ Accept(r, d, done, stable)
    \/ \E d \in accepted[r] : Prepare(r, d, done, stable)

Change(r, done, stable) ==
    \/ /\ ~active[r]
       /\ r = Primary(view[r])
       /\ \E x \in Chosen(Possible(view[r])) : Begin(r, x[1], x[2], done, stable)
    \/ \E nv \in newViews : Follow(r, nv, done, stable)
    \/ \E v \in View :
           /\ v > 0
           /\ v >= view[r]
           /\ v = view[r] => ~active[r]
           /\ Primary(v) \in faulty
           /\ \E x \in Chosen(Possible(v)) : FollowFaulty(r, x[1], x[2], done, stable)

GoOn(r, stable) ==
    \/ \E done \in Deliverable :
           \/ \E d \in accepted[r] : Commit(r, d, done, stable)
           \/ Change(r, done, stable)
    \/ \E v \in View : Leave(r, v, stable)

Next ==
    \E r \in Correct, stable \in Stable :
        \/ \E done \in Deliverable : Vote(r, done, stable)
        \/ GoOn(r, stable)
        \/ Restart(r, stable)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold. *)

(* One digest is committed at a sequence number, in all views; what a replica delivered is committed. *)
Agreement ==
    \A x, y \in commits :
        Last(x[3]) = Last(y[3]) /\ IsCommitted(x[2], x[3]) /\ IsCommitted(y[2], y[3]) => x[3] = y[3]

(* What is committed names what is committed before it. *)
Chained ==
    \A x, y \in commits :
        Last(x[3]) = Last(y[3]) + 1 /\ IsCommitted(x[2], x[3]) /\ IsCommitted(y[2], y[3]) => Previous(x[3]) = y[3]

CertifiedOnce ==
    \A x, y \in votes :
        x[2] = y[2] /\ Last(x[3]) = Last(y[3]) /\ IsCertified(x[2], x[3]) /\ IsCertified(y[2], y[3]) => x[3] = y[3]

(* Nothing is committed in the name of a correct primary that it did not propose. *)
Validity ==
    \A x \in commits :
        IsCommitted(x[2], x[3]) /\ Primary(MadeIn(x[3])) \in Correct =>
            <<Primary(MadeIn(x[3])), MadeIn(x[3]), x[3]>> \in votes

(* The lemma of protocol.md: what is committed in a view is in every later view's certificates. What is committed with
   all before it below a view is also in what the view's NEW-VIEWs fix. The condition matters: a replica may commit a
   block in a view because a later view decided the one before, and a NEW-VIEW of that later view may lack both. *)
IsCommittedBelow(w, d) ==
    \A n \in 1 .. Last(d) : \E v \in View : v < w /\ IsCommitted(v, Ancestor(d, n))

CarriedOver ==
    \A c \in commits : IsCommitted(c[2], c[3]) =>
        /\ \A x \in votes : x[2] > c[2] /\ Last(x[3]) = Last(c[3]) /\ IsCertified(x[2], x[3]) => x[3] = c[3]
        /\ \A r \in Correct : active[r] /\ view[r] > c[2] /\ IsCommittedBelow(view[r], c[3]) =>
               /\ Last(c[3]) <= fixed[r]
               /\ \A d \in accepted[r] : Last(d) = Last(c[3]) => d = c[3]
        /\ \A nv \in newViews :
               nv.view > c[2] /\ Last(nv.stable) < Last(c[3]) /\ IsCommittedBelow(nv.view, c[3]) =>
                   Last(nv.tip) >= Last(c[3]) /\ Ancestor(nv.tip, Last(c[3])) = c[3]

(* Votes are never contradicted, not even after a crash. *)
VotedOnce ==
    \A x, y \in votes : x[1] = y[1] /\ x[2] = y[2] /\ Last(x[3]) = Last(y[3]) => x[3] = y[3]
=============================================================================
