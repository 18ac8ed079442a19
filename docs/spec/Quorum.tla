------------------------------- MODULE Quorum -------------------------------
(***************************************************************************
 Order without clocks: before an answer leaves, StoreSvr confirms that its
 sender still is the owner.

 MODELLED. One segment whose owner changes by release or because a session
 ended; sessions that end at any moment, whatever their holders believe;
 batches of taken numbers that join a confirmation; confirmations that are
 applied late, again or never, and whose answers are just as late; a release,
 which confirms what was taken before the seal; floors raised at the store.

 LEFT OUT. What makes numbers unique (HandOver): as in Lease, a number is
 the epoch that it was taken in. A floor raised at the store lies above all
 numbers of the epoch, and below those of the next.

 BOUNDS. Processes and epochs.
 ***************************************************************************)
EXTENDS Naturals, TLC

CONSTANTS
    Allocators,     \* processes, each with one session: {a, b}
    MaxEpoch,       \* bound: assignments of the segment
    Missing         \* guards that are left out: {} is the protocol

\* Every rule that can be left out asks first whether it is there.
Guard(name) == name \notin Missing

Max(x, y) == IF x > y THEN x ELSE y
Nobody == "nobody"

NumberOf(e) == 2 * e
FloorAbove(e) == 2 * e + 1

VARIABLES
    \* ---- StoreSvr, replicated
    epoch,          \* of the segment
    owner,          \* the allocator to which it is assigned
    released,       \* whether the owner gave it back
    ended,          \* allocators whose session was closed or expired
    \* ---- each allocator
    loaded,         \* the epoch that it serves, 0 if none
    sealed,         \* whether it sealed that epoch
    batch,          \* the request whose number was taken and has not left, with its floor
    \* ---- on the way
    confirmations,  \* Renew commands that name an epoch: sender, epoch, whether applied and found to hold;
                    \* only those that the sender's present batch joined
    \* ---- what the callers have seen
    known,          \* the greatest number or floor that anybody received
    inversions      \* pairs <<number, floor>> that contradict G2

vars == <<epoch, owner, released, ended, loaded, sealed, batch, confirmations, known, inversions>>
storeVars == <<epoch, owner, released, ended>>

NoBatch == [waits |-> FALSE, floor |-> 0]
Levels == 0..FloorAbove(MaxEpoch)

TypeOK ==
    /\ epoch \in 0..MaxEpoch
    /\ owner \in Allocators \cup {Nobody}
    /\ released \in BOOLEAN
    /\ ended \subseteq Allocators
    /\ loaded \in [Allocators -> 0..MaxEpoch]
    /\ sealed \in [Allocators -> BOOLEAN]
    /\ batch \in [Allocators -> [waits : BOOLEAN, floor : Levels]]
    /\ confirmations \subseteq [from : Allocators, epoch : 1..MaxEpoch, holds : BOOLEAN]
    /\ known \in Levels

Init ==
    /\ epoch = 0 /\ owner = Nobody /\ released = FALSE /\ ended = {}
    /\ loaded = [a \in Allocators |-> 0]
    /\ sealed = [a \in Allocators |-> FALSE]
    /\ batch = [a \in Allocators |-> NoBatch]
    /\ confirmations = {}
    /\ known = 0
    /\ inversions = {}

-----------------------------------------------------------------------------

\* Confirmations that have nothing to do with process a.
Others(a) == {m \in confirmations : m.from # a}

Free == released \/ owner \in ended \cup {Nobody}

Publish(to) ==
    /\ Free
    /\ to \notin ended
    /\ epoch < MaxEpoch
    /\ epoch' = epoch + 1
    /\ owner' = to
    /\ released' = FALSE
    /\ UNCHANGED <<ended, loaded, sealed, batch, confirmations, known, inversions>>

\* No clock is trusted: a session may end at any moment.
EndSession(a) ==
    /\ ended' = ended \cup {a}
    /\ UNCHANGED <<epoch, owner, released, loaded, sealed, batch, confirmations, known, inversions>>

\* RaiseFloor at the store, for a segment that nobody serves.
StoreFloor ==
    /\ Free
    /\ epoch > 0
    /\ known' = Max(known, FloorAbove(epoch))
    /\ UNCHANGED <<storeVars, loaded, sealed, batch, confirmations, inversions>>

\* The lateness of claims is the business of HandOver.
Load(a) ==
    /\ owner = a
    /\ epoch > loaded[a]
    /\ loaded' = [loaded EXCEPT ![a] = epoch]
    /\ sealed' = [sealed EXCEPT ![a] = FALSE]
    /\ batch' = [batch EXCEPT ![a] = NoBatch]
    /\ confirmations' = Others(a)
    /\ UNCHANGED <<storeVars, known, inversions>>

\* A number is taken; its batch has joined no confirmation yet. Without the rule, it joins those that are
\* under way, or were even applied before.
Take(a) ==
    /\ loaded[a] > 0
    /\ Guard("seal") => ~sealed[a]
    /\ ~batch[a].waits
    /\ batch' = [batch EXCEPT ![a] = [waits |-> TRUE, floor |-> known]]
    /\ confirmations' = IF Guard("joins-unsent") THEN Others(a) ELSE confirmations
    /\ UNCHANGED <<storeVars, loaded, sealed, known, inversions>>

SendConfirmation(a) ==
    /\ loaded[a] > 0
    /\ batch[a].waits \/ ~Guard("joins-unsent")
    /\ confirmations' = confirmations \cup {[from |-> a, epoch |-> loaded[a], holds |-> FALSE]}
    /\ UNCHANGED <<storeVars, loaded, sealed, batch, known, inversions>>

\* It holds if the session is open, the owner is this session, the epoch is the same and not released.
ApplyConfirmation(m) ==
    /\ m \in confirmations
    /\ Guard("open-session") => m.from \notin ended
    /\ Guard("same-epoch") => owner = m.from /\ epoch = m.epoch
    /\ Guard("not-released") => ~released
    /\ confirmations' = confirmations \cup {[m EXCEPT !.holds = TRUE]}
    /\ UNCHANGED <<storeVars, loaded, sealed, batch, known, inversions>>

Confirmed(a) ==
    \E m \in confirmations : m.from = a /\ m.epoch = loaded[a] /\ m.holds

\* However late the answer to the confirmation was: what held when it was applied is good.
ReleaseNumber(a) ==
    /\ batch[a].waits
    /\ Guard("confirmation") => Confirmed(a)
    /\ LET n == NumberOf(loaded[a])
       IN /\ known' = Max(known, n)
          /\ inversions' = IF n < batch[a].floor THEN inversions \cup {<<n, batch[a].floor>>} ELSE inversions
    /\ batch' = [batch EXCEPT ![a] = NoBatch]
    /\ UNCHANGED <<storeVars, loaded, sealed, confirmations>>

\* A refusal delivers nothing; the number is used up.
Refuse(a) ==
    /\ batch[a].waits
    /\ batch' = [batch EXCEPT ![a] = NoBatch]
    /\ UNCHANGED <<storeVars, loaded, sealed, confirmations, known, inversions>>

\* Final for the epoch.
Seal(a) ==
    /\ loaded[a] > 0
    /\ sealed' = [sealed EXCEPT ![a] = TRUE]
    /\ UNCHANGED <<storeVars, loaded, batch, confirmations, known, inversions>>

\* It confirms what was taken before the seal. With a Publish right after it, it is a HandOver.
ApplyRelease(a) ==
    /\ sealed[a]
    /\ a \notin ended
    /\ owner = a /\ epoch = loaded[a] /\ ~released
    /\ released' = TRUE
    /\ confirmations' = confirmations \cup {[from |-> a, epoch |-> epoch, holds |-> TRUE]}
    /\ UNCHANGED <<epoch, owner, ended, loaded, sealed, batch, known, inversions>>

-----------------------------------------------------------------------------

Next ==
    \/ StoreFloor
    \/ \E m \in confirmations : ApplyConfirmation(m)
    \/ \E a \in Allocators :
        \/ Publish(a) \/ EndSession(a) \/ Load(a) \/ Take(a) \/ SendConfirmation(a)
        \/ ReleaseNumber(a) \/ Refuse(a) \/ Seal(a) \/ ApplyRelease(a)

Spec == Init /\ [][Next]_vars

\* Which process is which makes no difference: TLC looks at one of each kind.
Symmetry == Permutations(Allocators)

\* G2: a number is greater than all that were received before its request was sent.
Ordered == inversions = {}

=============================================================================
