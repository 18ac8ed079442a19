------------------------------ MODULE HandOver ------------------------------
(***************************************************************************
 Epochs, max_seq, and changes of owner, planned and unplanned: why no number
 is handed out twice, and why a hand-over with exact counters, a floor and a
 reading keep what they promise.

 MODELLED. One segment with some users. StoreSvr's record of it; publishing,
 raising, releasing, handing over, and raising a floor at the store. Every
 process: loading an epoch, choosing between the table and the base, taking,
 reading, raising a floor at the owner, sealing, releasing numbers. Whatever
 was sent may arrive at any later time, any number of times, in any order, or
 never: that is why each kind of message is kept for ever and is read from
 where it is kept. A process that does nothing more has crashed; one that was
 started again is another process with another session.

 LEFT OUT. Clocks: that a lease was found valid means that the session had
 not ended, which is LeaseMeansLive of module Lease; it may be found over at
 any time before (a refusal). The configuration NoLease takes even that away:
 order is lost then, uniqueness is not. Second sessions of a process (module
 Lease). Pages of a table and their stream: a table is whole or lacks some
 users. Whether a reading is exact or a bound. The compare-and-set of plans
 and the version of the table: any plan that StoreSvr's other rules allow may
 be applied at any time, which is more than controllers do. That a floor is
 at most max_jump away. More than one request at a time in one process: the
 others only move the counter, as a request does that is refused.

 BOUNDS. Processes, users, epochs, max_sequence (`Top`), and the floors.

 Rules are named by their numbers in docs/invariants.md: here I1 to I7, I9,
 I17, I30 and I32.
 ***************************************************************************)
EXTENDS Naturals, TLC

CONSTANTS
    Allocators,     \* processes, each with one session: {a, b, c}
    Users,          \* of the one segment: {u, v}
    Step,           \* by how much max_seq is raised
    Top,            \* bound: max_sequence
    MaxEpoch,       \* bound: assignments of the segment
    Floors,         \* floors to which users are raised; {} for none
    Readings,       \* whether Current is asked
    Missing         \* guards that are left out: {} is the protocol

\* Every rule that can be left out asks first whether it is there.
Guard(name) == name \notin Missing

Max(x, y) == IF x > y THEN x ELSE y
Min(x, y) == IF x < y THEN x ELSE y
Greatest(counters) == CHOOSE n \in {counters[u] : u \in Users} : \A u \in Users : counters[u] <= n
Least(counters) == CHOOSE n \in {counters[u] : u \in Users} : \A u \in Users : n <= counters[u]

Nobody == "nobody"
None == Top + 1     \* no `high`
Epochs == 1..MaxEpoch
Numbers == 0..Top

VARIABLES
    \* ---- StoreSvr, replicated
    segment,     \* epoch, owner, max (max_seq), released, high (of this epoch's release), void
    ended,       \* allocators whose session was closed or expired
    \* ---- on the way, each at any time, any number of times, or never
    began,       \* of each epoch: what Claim answers of it; `start` is the high that it started from
    raises,      \* Raise commands
    accepted,    \* of each epoch: the greatest max_seq that was accepted under it, as answers to raises
    seals,       \* of each epoch: the sealed counters; they are the table, and the Release or HandOver
    \* ---- each allocator
    memory,      \* the loaded segment: epoch, base, start, cur (cur_seq of each user), max, decided, sealed
    highest,     \* the highest epoch that it ever loaded
    taken,       \* a number that has not left yet, with the promises that it would break
    \* ---- what the callers have seen
    left,        \* of each user: the numbers that were answered
    shown,       \* of each user: the greatest reading that was answered
    lifted,      \* of each user: the greatest floor that was answered
    broken       \* names of the promises that were broken

storeVars == <<segment, ended>>
messageVars == <<began, raises, accepted, seals>>
allocatorVars == <<memory, highest, taken>>
callerVars == <<left, shown, lifted, broken>>
vars == <<storeVars, messageVars, allocatorVars, callerVars>>

NotLoaded == [epoch |-> 0, base |-> 0, start |-> None, cur |-> [u \in Users |-> 0],
              max |-> 0, decided |-> FALSE, sealed |-> FALSE]
NotBegun == [owner |-> Nobody, base |-> 0, max |-> 0, start |-> None]
NotSealed == [from |-> Nobody, base |-> 0, high |-> None, cur |-> [u \in Users |-> 0]]
Nothing == [user |-> Nobody, seq |-> 0, late |-> {}]
Promises == {"unique", "ordered", "durable", "current", "floors"}

TypeOK ==
    /\ segment \in [epoch : 0..MaxEpoch, owner : Allocators \cup {Nobody}, max : Numbers,
                    released : BOOLEAN, high : Numbers \cup {None}, void : BOOLEAN]
    /\ ended \subseteq Allocators
    /\ began \in [Epochs -> [owner : Allocators \cup {Nobody}, base : Numbers, max : Numbers,
                             start : Numbers \cup {None}]]
    /\ raises \subseteq [from : Allocators, epoch : Epochs, max : Numbers]
    /\ accepted \in [Epochs -> Numbers]
    /\ \A e \in Epochs : /\ seals[e].from \in Allocators \cup {Nobody}
                         /\ seals[e].cur \in [Users -> Numbers]
                         /\ seals[e].high \in Numbers \cup {None}
    /\ \A a \in Allocators : /\ memory[a].epoch \in 0..MaxEpoch
                             /\ memory[a].cur \in [Users -> Numbers]
                             /\ memory[a].max \in Numbers
                             /\ memory[a].decided \in BOOLEAN /\ memory[a].sealed \in BOOLEAN
    /\ highest \in [Allocators -> 0..MaxEpoch]
    /\ left \in [Users -> SUBSET Numbers]
    /\ broken \subseteq Promises

Init ==
    /\ segment = [epoch |-> 0, owner |-> Nobody, max |-> 0, released |-> FALSE, high |-> None, void |-> FALSE]
    /\ ended = {}
    /\ began = [e \in Epochs |-> NotBegun]
    /\ raises = {}
    /\ accepted = [e \in Epochs |-> 0]
    /\ seals = [e \in Epochs |-> NotSealed]
    /\ memory = [a \in Allocators |-> NotLoaded]
    /\ highest = [a \in Allocators |-> 0]
    /\ taken = [a \in Allocators |-> Nothing]
    /\ left = [u \in Users |-> {}]
    /\ shown = [u \in Users |-> 0]
    /\ lifted = [u \in Users |-> 0]
    /\ broken = {}

-----------------------------------------------------------------------------
(* StoreSvr. *)

Free == segment.released \/ segment.owner \in ended \cup {Nobody}

\* A new epoch, one higher (I2). Its base is the high of the release, if there is one, else max_seq; room
\* for numbers is made in the same command. `now` is the segment before the move.
Move(now, to) ==
    LET start == IF now.released THEN now.high ELSE None
        base == IF ~Guard("base-is-max") /\ now.epoch > 0 THEN began[now.epoch].base
                ELSE IF start # None THEN start ELSE now.max
        max == Max(now.max, Min(base + Step, Top))
    IN /\ now.epoch < MaxEpoch
       /\ to \notin ended
       /\ segment' = [epoch |-> now.epoch + 1, owner |-> to, max |-> max,
                      released |-> FALSE, high |-> None, void |-> FALSE]
       /\ began' = [began EXCEPT ![now.epoch + 1] =
                        [owner |-> to, base |-> base, max |-> max, start |-> start]]

\* I17: only what has no owner, was released, or whose owner's session is over.
Publish(to) ==
    /\ Guard("never-steal") => Free
    /\ Move(segment, to)
    /\ UNCHANGED <<ended, raises, accepted, seals, allocatorVars, callerVars>>

\* Closed or expired; why no valid lease is left then is the business of Lease.
EndSession(a) ==
    /\ ended' = ended \cup {a}
    /\ a \notin ended
    /\ UNCHANGED <<segment, messageVars, allocatorVars, callerVars>>

\* I4: only of the present owner, in the present epoch, under an open session. I3: never down.
ApplyRaise(m) ==
    /\ m \in raises
    /\ m.from \notin ended \/ ~Guard("raise-open-session")
    /\ Guard("raise-epoch") => segment.owner = m.from /\ segment.epoch = m.epoch
    /\ segment' = [segment EXCEPT !.max = IF Guard("never-lower") THEN Max(@, m.max) ELSE m.max]
    /\ accepted' = [accepted EXCEPT ![m.epoch] = Max(@, segment'.max)]
    /\ UNCHANGED <<ended, began, raises, seals, allocatorVars, callerVars>>

\* The segment once the release of epoch e was applied. A floor that the store applied before makes the
\* high void.
Released(e) ==
    [segment EXCEPT !.max = Max(@, seals[e].high), !.released = TRUE,
                    !.high = IF segment.void /\ Guard("floor-voids-later") THEN None ELSE seals[e].high]

\* Release, if `to` is nobody, else HandOver: release and move in one command. Only from the owner of the
\* present epoch, under an open session, once. It counts as a raise to high: what was taken before the
\* seal may still be answered.
ApplyRelease(e, to) ==
    /\ seals[e].from # Nobody
    /\ Guard("release-open-session") => seals[e].from \notin ended
    /\ Guard("release-epoch") => segment.epoch = e
    /\ segment.epoch > 0
    /\ Guard("release-once") => ~segment.released
    /\ accepted' = [accepted EXCEPT ![e] = Max(@, seals[e].high)]
    /\ IF to = Nobody
       THEN segment' = Released(e) /\ UNCHANGED began
       ELSE Move(Released(e), to)
    /\ UNCHANGED <<ended, raises, seals, allocatorVars, callerVars>>

\* RaiseFloor at the store, for a segment that nobody serves: all users are lifted when it is loaded next.
\* It makes every high of the epoch void, recorded or yet to come.
StoreFloor(floor) ==
    /\ Free
    /\ ~(\A u \in Users : lifted[u] >= floor)
    /\ segment' = [segment EXCEPT !.max = Max(@, floor), !.void = TRUE,
                                  !.high = IF Guard("floor-voids") THEN None ELSE @]
    /\ lifted' = [u \in Users |-> Max(lifted[u], floor)]
    /\ UNCHANGED <<ended, messageVars, allocatorVars, left, shown, broken>>

-----------------------------------------------------------------------------
(* The allocator: loading. *)

\* A Claim's answer arrives, perhaps late, perhaps again. I6: only an epoch higher than all before is
\* loaded. I7: nothing is kept of the counters of another epoch.
Load(a, e) ==
    /\ began[e].owner = a
    /\ Guard("load-once") => e > highest[a]
    /\ e >= highest[a]
    /\ LET b == began[e]
           kept == ~Guard("fresh-counters") /\ memory[a].epoch > 0
       IN memory' = [memory EXCEPT ![a] =
            [epoch |-> e, base |-> b.base, start |-> b.start, max |-> b.max, sealed |-> FALSE,
             cur |-> IF kept THEN memory[a].cur ELSE [u \in Users |-> b.base],
             decided |-> kept \/ (Guard("table-start") /\ b.start = None) \/ e = 1]]
    /\ highest' = [highest EXCEPT ![a] = e]
    /\ taken' = [taken EXCEPT ![a] = Nothing]
    /\ UNCHANGED <<storeVars, messageVars, callerVars>>

\* The table of epoch e arrives. It is used only before the first number, only in epoch e + 1, only whole,
\* and only if that epoch started from the same high. Who serves without it has chosen the base.
DecideWithTable(a, e) ==
    /\ memory[a].epoch > 0
    /\ Guard("decide-once") => ~memory[a].decided
    /\ seals[e].from # Nobody
    /\ e < memory[a].epoch
    /\ Guard("table-epoch") => memory[a].epoch = e + 1
    /\ Guard("table-start") => memory[a].start = seals[e].high
    /\ \E lost \in IF Guard("table-complete") THEN {{}} ELSE SUBSET Users :
        memory' = [memory EXCEPT
            ![a].cur = [u \in Users |-> IF u \in lost THEN seals[e].base ELSE seals[e].cur[u]],
            ![a].decided = TRUE]
    /\ UNCHANGED <<storeVars, messageVars, highest, taken, callerVars>>

-----------------------------------------------------------------------------
(* The allocator: serving. *)

Serves(a) == memory[a].epoch > 0

\* The promises that number n breaks if it is handed out to a request that is sent now: it must be above
\* all numbers, readings and floors that were received.
LateNumber(u, n) ==
    {p \in Promises : \/ p = "ordered" /\ \E m \in left[u] : m >= n
                      \/ p = "current" /\ shown[u] >= n
                      \/ p = "floors" /\ lifted[u] >= n}

\* Request and taking are one step, for the reason that Lease gives. A number may be taken above max_seq:
\* it waits then. A sealed segment gives none.
Take(a, u) ==
    /\ Serves(a)
    /\ Guard("seal-next") => ~memory[a].sealed
    /\ taken[a] = Nothing
    /\ memory[a].cur[u] < Top
    /\ LET n == memory[a].cur[u] + 1
       IN /\ memory' = [memory EXCEPT ![a].cur[u] = n, ![a].decided = TRUE]
          /\ taken' = [taken EXCEPT ![a] = [user |-> u, seq |-> n, late |-> LateNumber(u, n)]]
    /\ UNCHANGED <<storeVars, messageVars, highest, callerVars>>

LeaseValid(a) == Guard("lease") => a \notin ended

\* I1: only what is at most a max_seq that was accepted. I9: only under a valid lease.
ReleaseNumber(a) ==
    /\ taken[a] # Nothing
    /\ Guard("waits-for-raise") => taken[a].seq <= memory[a].max
    /\ LeaseValid(a)
    /\ LET t == taken[a]
       IN /\ left' = [left EXCEPT ![t.user] = @ \cup {t.seq}]
          /\ broken' = broken \cup t.late
                \cup {p \in Promises : \/ p = "unique" /\ t.seq \in left[t.user]
                                       \/ p = "durable" /\ t.seq > segment.max}
    /\ taken' = [taken EXCEPT ![a] = Nothing]
    /\ UNCHANGED <<storeVars, messageVars, memory, highest, shown, lifted>>

\* Current. I30: it waits for the raise as a number does; a reading that waits is one that is asked later.
Read(a, u) ==
    /\ Readings
    /\ Serves(a)
    /\ Guard("seal-current") => ~memory[a].sealed
    /\ Guard("current-waits") => memory[a].cur[u] <= memory[a].max
    /\ LeaseValid(a)
    /\ memory' = [memory EXCEPT ![a].decided = TRUE]
    /\ LET n == memory[a].cur[u]
       IN /\ shown' = [shown EXCEPT ![u] = Max(@, n)]
          /\ broken' = broken \cup
                IF shown[u] > n \/ lifted[u] > n \/ \E m \in left[u] : m > n THEN {"current"} ELSE {}
    /\ UNCHANGED <<storeVars, messageVars, highest, taken, left, lifted>>

\* A refusal delivers nothing; the number is used up.
Refuse(a) ==
    /\ taken[a] # Nothing
    /\ taken' = [taken EXCEPT ![a] = Nothing]
    /\ UNCHANGED <<storeVars, messageVars, memory, highest, callerVars>>

\* When a user has no room left. It may be sent again, and overtake others.
SendRaise(a) ==
    /\ memory[a].epoch > 0
    /\ memory[a].max < Top
    /\ \E u \in Users : memory[a].cur[u] >= memory[a].max
    /\ raises' = raises \cup {[from |-> a, epoch |-> memory[a].epoch, max |-> Min(memory[a].max + Step, Top)]}
    /\ raises' # raises
    /\ IF Guard("waits-for-acceptance") THEN UNCHANGED memory
       ELSE memory' = [memory EXCEPT ![a].max = Min(@ + Step, Top)]
    /\ UNCHANGED <<storeVars, began, accepted, seals, highest, taken, callerVars>>

\* I5: an answer counts for the epoch that asked.
ReceiveRaised(a, e) ==
    /\ memory[a].epoch > 0
    /\ e = memory[a].epoch
    /\ began[e].owner = a
    /\ accepted[e] > memory[a].max
    /\ memory' = [memory EXCEPT ![a].max = accepted[e]]
    /\ UNCHANGED <<storeVars, messageVars, highest, taken, callerVars>>

\* I32: a refusal names the max_seq in force, which may be another epoch's, and raises nothing.
ReceiveRefusal(a) ==
    /\ ~Guard("refusal-raises-nothing")
    /\ memory[a].epoch > 0
    /\ segment.max > memory[a].max
    /\ memory' = [memory EXCEPT ![a].max = segment.max]
    /\ UNCHANGED <<storeVars, messageVars, highest, taken, callerVars>>

\* At the owner: max_seq is durable up to the floor first, then the user is lifted, then it is answered.
RaiseFloor(a, u, floor) ==
    /\ Serves(a)
    /\ Guard("seal-floor") => ~memory[a].sealed
    /\ Guard("floor-durable") => floor <= memory[a].max
    /\ LeaseValid(a)
    /\ lifted[u] < floor
    /\ memory' = [memory EXCEPT ![a].cur[u] = Max(@, floor), ![a].decided = TRUE]
    /\ lifted' = [lifted EXCEPT ![u] = floor]
    /\ UNCHANGED <<storeVars, messageVars, highest, taken, left, shown, broken>>

\* Final for the epoch. high is the highest number that was taken of any user, those included that wait.
Seal(a) ==
    /\ Serves(a)
    /\ ~memory[a].sealed
    /\ memory' = [memory EXCEPT ![a].sealed = TRUE, ![a].decided = TRUE]
    /\ LET m == memory[a]
           high == IF Guard("high-of-all") THEN Greatest(m.cur) ELSE Least(m.cur)
       IN seals' = [seals EXCEPT ![m.epoch] =
            [from |-> a, base |-> m.base, cur |-> m.cur,
             high |-> IF Guard("high-of-waiting") THEN high ELSE Min(high, m.max)]]
    /\ UNCHANGED <<storeVars, began, raises, accepted, highest, taken, callerVars>>

-----------------------------------------------------------------------------

Next ==
    \/ \E a \in Allocators :
        \/ Publish(a) \/ EndSession(a)
        \/ ReleaseNumber(a) \/ Refuse(a) \/ SendRaise(a) \/ ReceiveRefusal(a) \/ Seal(a)
        \/ \E u \in Users : Take(a, u) \/ Read(a, u) \/ \E f \in Floors : RaiseFloor(a, u, f)
        \/ \E e \in Epochs : Load(a, e) \/ DecideWithTable(a, e) \/ ReceiveRaised(a, e)
    \/ \E m \in raises : ApplyRaise(m)
    \/ \E e \in Epochs, to \in Allocators \cup {Nobody} : ApplyRelease(e, to)
    \/ \E f \in Floors : StoreFloor(f)

Spec == Init /\ [][Next]_vars

\* Which process or user is which makes no difference: TLC looks at one of each kind.
Symmetry == Permutations(Allocators) \cup Permutations(Users)

\* G1: no number was answered twice.
Unique == "unique" \notin broken

\* G2: a number is greater than all that were received before its request was sent.
Ordered == "ordered" \notin broken

\* G3: no number left above the durable max_seq.
Durable == "durable" \notin broken

\* A reading does not go back, and no number up to it is handed out to a later request.
CurrentHolds == "current" \notin broken

\* After a floor was answered, no number up to it is handed out to a later request.
FloorsHold == "floors" \notin broken

\* I2, I3: of steps, not of states.
MaxSeqNeverFalls == [][segment'.max >= segment.max /\ segment'.epoch >= segment.epoch]_segment

=============================================================================
