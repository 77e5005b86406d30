-------------------------------- MODULE Trace --------------------------------
(* Is a trace of the simulator a behaviour of Pbft? Module Run has the trace: each event must be a step of Pbft, or
   repeat what was said before. What the model chooses freely the trace determines; the few choices left, such as when a
   block was delivered inside the core, TLC searches.

   Traces have no end of views or sequence numbers. Digests are numbers here: places in Run's table of proposals. *)
EXTENDS Pbft, Run, Sequences, TLC

VARIABLES
    next,               \* the event that follows
    done,               \* last delivered digest of each correct replica
    stable,             \* its stable checkpoint
    left,               \* the view that it last said it goes to
    chain               \* the delivered blocks

traced == <<next, done, stable, left, chain>>

ReplicasOf == 0 .. ReplicaCount - 1
FaultyOf == {FaultyReplicas}
PrimaryOf(v) == v % ReplicaCount
PreviousOf(d) == IF d = 0 THEN 0 ELSE Proposals[d].previous
SequenceOf(d) == IF d = 0 THEN 0 ELSE Proposals[d].sequence
MadeInOf(d) == IF d = 0 THEN 0 ELSE Proposals[d].view
DigestOf == DOMAIN Proposals
ViewOf == 0 .. ViewMax

RECURSIVE AncestorOf(_, _)
AncestorOf(d, n) == IF SequenceOf(d) <= n THEN d ELSE AncestorOf(PreviousOf(d), n)

RECURSIVE IsDeliveredHere(_)
IsDeliveredHere(d) ==
    IF d = 0 THEN TRUE
    ELSE IF SequenceOf(d) <= Len(chain) THEN chain[SequenceOf(d)] = d
    ELSE (\E x \in commits : x[3] = d /\ IsCommitted(x[2], d)) /\ IsDeliveredHere(PreviousOf(d))

-----------------------------------------------------------------------------
Event == Events[next]

(* What the replica may have delivered when it did something about digest d. *)
Reached(r, d) ==
    {done[r]} \cup
    {x \in {PreviousOf(d), d, stable[r]} : SequenceOf(x) > SequenceOf(done[r]) /\ IsDeliveredHere(x)}

Advance(r, d) == done' = [done EXCEPT ![r] = d]

Repeats == UNCHANGED <<vars, done, stable, left, chain>>

Accepted(e) ==
    \E x \in Reached(e.replica, e.digest) :
        /\ e.view = view[e.replica]
        /\ \/ Propose(e.replica, e.digest, x, stable[e.replica])
           \/ Accept(e.replica, e.digest, x, stable[e.replica])
        /\ Advance(e.replica, x)
        /\ UNCHANGED <<stable, left, chain>>

Prepared(e) ==
    \E x \in Reached(e.replica, e.digest) :
        /\ e.view = view[e.replica]
        /\ Commit(e.replica, e.digest, x, stable[e.replica])
        /\ Advance(e.replica, x)
        /\ UNCHANGED <<stable, left, chain>>

(* The vote that an event shows was made before it was sent. *)
Voted(e) ==
    /\ e.event \in {"prepared", "prepare"}
    /\ e.view = view[e.replica]
    /\ \E x \in Reached(e.replica, e.digest) :
           /\ Prepare(e.replica, e.digest, x, stable[e.replica])
           /\ Advance(e.replica, x)
    /\ UNCHANGED <<next, stable, left, chain>>

(* A PREPARE never leaves in a view that the replica said it left. A PRE-PREPARE may: it shows the proposal of a
   committed block to a replica that lacks it. *)
Said(e) ==
    /\ <<e.replica, e.view, e.digest>> \in votes
    /\ e.event = "prepare" => e.view >= left[e.replica]
    /\ Repeats

Left(e) ==
    /\ Leave(e.replica, e.view, stable[e.replica])
    /\ UNCHANGED <<done, stable, left, chain>>

(* The NEW-VIEW must propose what its VIEW-CHANGEs oblige to. *)
NewViewOf(e) ==
    LET nv == Obligation(e.view, e.shown)
    IN IF Reproposed(nv) = e.proposals THEN nv ELSE [view |-> e.view, stable |-> 0, tip |-> -1]

Entered(e) ==
    LET r == e.replica
        nv == NewViewOf(e)
    IN /\ nv.tip >= 0
       /\ IF r = Primary(e.view) THEN e.view = view[r] /\ Begin(r, nv, e.shown, done[r], stable[r])
          ELSE IF Primary(e.view) \in faulty THEN FollowFaulty(r, nv, e.shown, done[r], stable[r])
          ELSE Follow(r, nv, done[r], stable[r])
       /\ UNCHANGED <<done, stable, left, chain>>

Stabilised(e) ==
    /\ IsStable(e.digest)
    /\ SequenceOf(e.digest) > SequenceOf(stable[e.replica])
    /\ stable' = [stable EXCEPT ![e.replica] = e.digest]
    /\ UNCHANGED <<vars, done, left, chain>>

Delivered(e) ==
    /\ IsDeliveredHere(e.digest)
    /\ IF SequenceOf(e.digest) <= SequenceOf(done[e.replica])
       THEN AncestorOf(done[e.replica], SequenceOf(e.digest)) = e.digest
       ELSE \/ PreviousOf(e.digest) = done[e.replica]
            \* The blocks up to the checkpoint came from peers.
            \/ IsTransferring(done[e.replica], stable[e.replica]) /\ PreviousOf(e.digest) = stable[e.replica]
    /\ Advance(e.replica, IF SequenceOf(e.digest) <= SequenceOf(done[e.replica]) THEN done[e.replica] ELSE e.digest)
    /\ chain' = IF SequenceOf(e.digest) = Len(chain) + 1 THEN Append(chain, e.digest) ELSE chain
    /\ UNCHANGED <<vars, stable, left>>

(* What the archive lacks is delivered again. *)
Started(e) ==
    \E x \in {AncestorOf(done[e.replica], e.archived)} \cup
             {chain[n] : n \in (SequenceOf(done[e.replica]) + 1) .. Len(chain)} :
        /\ SequenceOf(x) = e.archived
        /\ Restart(e.replica, stable[e.replica])
        /\ Advance(e.replica, x)
        /\ UNCHANGED <<stable, left, chain>>

ShownViewChange(e) ==
    /\ e.shown.from = e.replica
    /\ e.shown \in viewChanges
    /\ e.shown.view >= left[e.replica]
    /\ left' = [left EXCEPT ![e.replica] = e.shown.view]
    /\ UNCHANGED <<vars, done, stable, chain>>

ShownNewView(e) ==
    /\ NewViewOf(e) \in newViews
    /\ e.replica = Primary(e.view)
    /\ Repeats

Happens(e) ==
    CASE e.event = "accepted" -> Accepted(e)
      [] e.event = "prepared" -> Prepared(e)
      [] e.event = "left" -> Left(e)
      [] e.event = "entered" -> Entered(e)
      [] e.event = "stable" -> Stabilised(e)
      [] e.event = "delivered" -> Delivered(e)
      [] e.event = "started" -> Started(e)
      [] e.event \in {"pre-prepare", "prepare"} -> Said(e)
      [] e.event = "commit" -> <<e.replica, e.view, e.digest>> \in commits /\ Repeats
      [] e.event \in {"decision", "checkpoint"} -> IsDeliveredHere(e.digest) /\ Repeats
      [] e.event = "view-change" -> ShownViewChange(e)
      [] e.event = "new-view" -> ShownNewView(e)

TraceInit ==
    /\ Init
    /\ next = 1
    /\ done = [r \in Correct |-> 0]
    /\ stable = [r \in Correct |-> 0]
    /\ left = [r \in Correct |-> 0]
    /\ chain = <<>>

TraceNext ==
    /\ next <= Len(Events)
    /\ \/ Happens(Event) /\ next' = next + 1
       \/ Voted(Event)

TraceSpec == TraceInit /\ [][TraceNext]_<<vars, traced>>

(* Prints how many events are those of a behaviour. *)
Progress == IF next > TLCGet(1) THEN TLCSet(1, next) /\ PrintT(<<"accepted", next - 1>>) ELSE TRUE

ASSUME TLCSet(1, 0)

(* What was delivered stays delivered. *)
DeliveredOnce ==
    \A r \in Correct : SequenceOf(done[r]) \in 1 .. Len(chain) => chain[SequenceOf(done[r])] = done[r]
=============================================================================
