------------------------------- MODULE Checked -------------------------------
(* Pbft with four replicas, for an exhaustive check: a digest is the chain itself, a sequence of proposals. A proposal
   is the view in which it was made and a value. *)
EXTENDS Pbft, Sequences, TLC

CONSTANTS r0, r1, r2, r3, Value, SequenceMax, Views

Replicas == {r0, r1, r2, r3}
PrimaryOf(v) == IF v % 4 = 0 THEN r0 ELSE IF v % 4 = 1 THEN r1 ELSE IF v % 4 = 2 THEN r2 ELSE r3
FaultySets == {{r0}, {r1}, {r2}, {r3}}
Faulty0 == {{r0}}
Faulty1 == {{r1}}
Faulty2 == {{r2}, {r3}}
ViewSet == 0 .. Views - 1
Item == ViewSet \X Value
(* A view in a chain is never below the one before it. *)
DigestSet ==
    {d \in UNION {[1 .. n -> Item] : n \in 1 .. SequenceMax} :
        \A i \in 1 .. Len(d) - 1 : d[i][1] <= d[i + 1][1]}
OriginOf == <<>>
PreviousOf(d) == SubSeq(d, 1, Len(d) - 1)
SequenceOf(d) == Len(d)
MadeInOf(d) == d[Len(d)][1]
AncestorOf(d, n) == SubSeq(d, 1, n)

(* Replicas that lead neither view are alike, and so are values. *)
Symmetry == Permutations(Value) \cup Permutations({r2, r3})

(* Fewer behaviours that show as much. Some steps forbid nothing that another replica, or the own one later, could do
   instead, and all that they allow is allowed for good. They come before all others: votes for a whole chain, COMMITs
   of the last view, which no VIEW-CHANGE shows, and following the one NEW-VIEW of a correct primary. *)
Last1 == Views - 1

IsFull(r) ==
    /\ fixed[r] = SequenceMax \/ \E d \in accepted[r] : Len(d) = SequenceMax
    /\ \A d \in accepted[r] : <<r, view[r], d>> \in votes

Votes(r) == \E done \in Deliverable, stable \in Stable : Vote(r, done, stable)

HasVotes == \E r \in Correct : active[r] /\ ~IsFull(r) /\ ENABLED Votes(r)

LastCommits(r) ==
    IF view[r] = Last1 /\ active[r]
    THEN {x \in accepted[r] \X Deliverable \X Stable : MayCommit(r, x[1], x[2], x[3])}
    ELSE {}

Follows(r) == IF view[r] = Last1 /\ ~active[r] THEN {nv \in newViews : r /= Primary(nv.view)} ELSE {}

EagerNext ==
    IF HasVotes
    THEN \E r \in Correct : active[r] /\ ~IsFull(r) /\ Votes(r)
    ELSE IF \E r \in Correct : LastCommits(r) /= {}
    THEN \E r \in Correct : \E x \in LastCommits(r) : Commit(r, x[1], x[2], x[3])
    ELSE IF \E r \in Correct : Follows(r) /= {}
    THEN \E r \in Correct : \E nv \in Follows(r), done \in Deliverable, stable \in Stable :
             Follow(r, nv, done, stable)
    ELSE \E r \in Correct, stable \in Stable : GoOn(r, stable)

EagerSpec == Init /\ [][EagerNext]_vars

(* Nobody reads VIEW-CHANGEs when all have begun the last view. *)
Seen ==
    <<faulty, own, votes, commits, newViews,
      IF \A r \in Correct : view[r] = Last1 /\ active[r] THEN {} ELSE viewChanges>>
=============================================================================
