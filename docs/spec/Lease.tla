------------------------------- MODULE Lease -------------------------------
(***************************************************************************
 Sessions, renewals and leases: why a process never answers once another one
 may have been made the owner of its segment.

 MODELLED. Processes that open sessions, renew them, close them, pause at any
 moment and lose them; renewals that are sent, applied and answered in three
 steps, each of them late, lost or doubled; a clock for the holders of leases
 and one for the granters, either of them up to `Ratio` times as fast as the
 other, from tick to tick; peers of StoreSvr that are elected and deposed,
 where a deposed one may go on for ever, and come back; one segment whose
 owner changes; numbers that are taken, wait, and are released after a look
 at the lease; callers who remember the greatest number that they received.

 LEFT OUT. A number is the epoch that it was taken in: within one epoch the
 owner's counter orders them, and that epochs do not share numbers is the
 business of HandOver. The two clocks of a machine, which must agree: a clock
 here is what is left when the holder has taken the one that says more, and
 the granter the one that says less. A crash: a process that closes its
 session and whose closing is lost looks the same to everybody. Raft: a
 command is applied by all peers at once, in one order.

 BOUNDS. Sessions, and changes of owner. Time has no bound, renewals and
 elections have none: all ages stop at the first value from which on they
 make no difference. A process has one renewal and one answer under way; a
 newer one takes the place of the older, which then is lost.

 Rules are named by their numbers in docs/invariants.md: here I2, I9 to I18
 and I21.
 ***************************************************************************)
EXTENDS Naturals, TLC

CONSTANTS
    Processes,      \* allocators, for instance {a, b}
    Peers,          \* peers of StoreSvr, for instance {p, q}
    Ttl,            \* units of a holder's clock for which a lease is valid
    Ratio,          \* 1 + drift: how much faster than another a clock may run
    MaxSessions,    \* bound: sessions that are ever opened
    MaxEpoch,       \* bound: assignments of the segment
    Missing         \* guards that are left out: {} is the protocol

ASSUME /\ Ttl \in Nat /\ Ratio \in Nat /\ Ttl > 0 /\ Ratio > 1
       /\ MaxSessions \in Nat /\ MaxEpoch \in Nat

\* Every rule that can be left out asks first whether it is there.
Guard(name) == name \notin Missing

Min(x, y) == IF x < y THEN x ELSE y
Max(x, y) == IF x > y THEN x ELSE y

Sessions == 1..MaxSessions
None == 0

\* By how much a clock may advance in one tick.
Rates == 1..Ratio

\* I12, I13: the granter waits longer than the ttl, by as much as clocks may differ.
Wait == IF Guard("drift") THEN Ttl * Ratio ELSE Ttl
Longest == Ttl * Ratio

VARIABLES
    \* ---- StoreSvr, replicated
    status,      \* of each session: "unused", "open", "expelled", "ended"
    owner,       \* the session to which the segment is assigned, or None
    epoch,       \* of the segment
    \* ---- StoreSvr, each peer by itself
    leader,      \* the peer that leads
    timer,       \* of each peer, for each session: how long it ran, and from which renewal
    \* ---- each process
    session,     \* the session that the process takes for its own, or None
    elapsed,     \* on the process's clock, since its best renewal was sent; Ttl: not valid
    loaded,      \* the epoch that it serves, and the session under which it was claimed
    taken,       \* a number that was taken and has not left yet, with its request's floor
    \* ---- on the way
    renewals,    \* renewals sent, with the time on their sender's clock since then
    answers,     \* answers to renewals that were applied
    closings,    \* sessions whose own process sent CloseSession
    expiries,    \* ExpireSession commands: session and renewal_seen
    \* ---- what the callers have seen
    answered,    \* the greatest number that anybody received
    inversions   \* pairs <<number, floor>> that contradict G2

storeVars == <<status, owner, epoch>>
processVars == <<session, elapsed, loaded, taken>>
messageVars == <<renewals, answers, closings, expiries>>
callerVars == <<answered, inversions>>
vars == <<storeVars, leader, timer, processVars, messageVars, callerVars>>

NotLoaded == [epoch |-> 0, session |-> None]
Nothing == [seq |-> 0, floor |-> 0]

\* `newest` is what ExpireSession's renewal_seen is compared for: whether the renewal from which the
\* timer runs is still the last one that was applied.
Fresh == [ran |-> 0, newest |-> TRUE, on |-> TRUE]
Off == [ran |-> 0, newest |-> FALSE, on |-> FALSE]

Ended == {s \in Sessions : status[s] = "ended"}
Live == {s \in Sessions : status[s] \in {"open", "expelled"}}

TypeOK ==
    /\ status \in [Sessions -> {"unused", "open", "expelled", "ended"}]
    /\ owner \in Sessions \cup {None}
    /\ epoch \in 0..MaxEpoch
    /\ leader \in Peers
    /\ timer \in [Peers -> [Sessions -> [ran : 0..Longest, newest : BOOLEAN, on : BOOLEAN]]]
    /\ session \in [Processes -> Sessions \cup {None}]
    /\ elapsed \in [Processes -> 0..Ttl]
    /\ loaded \in [Processes -> [epoch : 0..MaxEpoch, session : Sessions \cup {None}]]
    /\ taken \in [Processes -> [seq : 0..MaxEpoch, floor : 0..MaxEpoch]]
    /\ renewals \subseteq [session : Sessions, from : Processes, age : 0..Ttl]
    /\ answers \subseteq [session : Sessions, from : Processes, age : 0..Ttl]
    /\ closings \subseteq Sessions
    /\ expiries \subseteq [session : Sessions, newest : BOOLEAN]
    /\ answered \in 0..MaxEpoch

\* The story begins when one process owns the segment, and has not renewed its session yet.
Init ==
    /\ \E first \in Processes :
        /\ session = [a \in Processes |-> IF a = first THEN 1 ELSE None]
        /\ loaded = [a \in Processes |-> IF a = first THEN [epoch |-> 1, session |-> 1] ELSE NotLoaded]
    /\ status = [s \in Sessions |-> IF s = 1 THEN "open" ELSE "unused"]
    /\ owner = 1
    /\ epoch = 1
    /\ leader \in Peers
    /\ timer = [p \in Peers |-> [s \in Sessions |-> IF p = leader /\ s = 1 THEN Fresh ELSE Off]]
    /\ elapsed = [a \in Processes |-> Ttl]
    /\ taken = [a \in Processes |-> Nothing]
    /\ renewals = {} /\ answers = {} /\ closings = {} /\ expiries = {}
    /\ answered = 0
    /\ inversions = {}

-----------------------------------------------------------------------------
(* Time. Holders advance together, and granters do: what counts is how the clock of a holder compares
   with that of the granter that ends its session, and each pair of rates occurs at each tick. *)

Older(message, by) == [message EXCEPT !.age = Min(Ttl, @ + by)]

Tick ==
    \E holders, granters \in Rates :
        /\ elapsed' = [a \in Processes |-> Min(Ttl, elapsed[a] + holders)]
        /\ renewals' = {Older(m, holders) : m \in renewals}
        \* An answer as old as the ttl says nothing any more.
        /\ answers' = {m \in {Older(n, holders) : n \in answers} : m.age < Ttl}
        /\ timer' = [p \in Peers |-> [s \in Sessions |->
                        IF timer[p][s].on
                        THEN [timer[p][s] EXCEPT !.ran = Min(Longest, @ + granters)]
                        ELSE Off]]
        /\ UNCHANGED <<storeVars, leader, session, loaded, taken, closings, expiries, callerVars>>

-----------------------------------------------------------------------------
(* Sessions and renewals. *)

\* A renewal of session s is applied: its timer starts anew at the leader. Peers that do not know that
\* they were deposed go on with an outdated timer, which is taken for one that is over: the worst case.
Started(s) == [p \in Peers |-> [timer[p] EXCEPT ![s] =
    IF p = leader THEN Fresh
    ELSE IF @.on THEN [ran |-> Longest, newest |-> FALSE, on |-> TRUE]
    ELSE Off]]

\* I18: while another session bears the name, it is refused; here a newcomer bears any name. An
\* opening starts the granter's timer and gives no lease.
OpenSession(a) ==
    /\ session[a] = None
    /\ \E s \in Sessions :
        /\ status[s] = "unused"
        /\ \A t \in Sessions : t < s => status[t] # "unused"
        /\ \E superseded \in IF Guard("never-supersede") THEN {{}} ELSE {{}} \cup {{t} : t \in Live} :
            status' = [t \in Sessions |-> IF t = s THEN "open"
                                          ELSE IF t \in superseded THEN "ended" ELSE status[t]]
        /\ session' = [session EXCEPT ![a] = s]
        /\ elapsed' = [elapsed EXCEPT ![a] = Ttl]
        /\ timer' = Started(s)
    /\ UNCHANGED <<owner, epoch, leader, loaded, taken, messageVars, callerVars>>

\* The sender's clock is read before the sending: the message carries its age on that clock.
SendRenewal(a) ==
    /\ session[a] # None
    /\ renewals' = {m \in renewals : m.from # a} \cup {[session |-> session[a], from |-> a, age |-> 0]}
    /\ UNCHANGED <<storeVars, leader, timer, processVars, answers, closings, expiries, callerVars>>

\* I10: each try is a command of its own. Without that, a try is sent again under the same id, with the
\* clock read anew, and the answer to the first counts from the second.
SendAgain(m) ==
    /\ ~Guard("sent-at-once")
    /\ m \in renewals \cup answers
    /\ renewals' = {IF n = m THEN [m EXCEPT !.age = 0] ELSE n : n \in renewals}
    /\ answers' = {IF n = m THEN [m EXCEPT !.age = 0] ELSE n : n \in answers}
    /\ UNCHANGED <<storeVars, leader, timer, processVars, closings, expiries, callerVars>>

\* It stays under way: it may be applied again. Refused if the session was closed, expired or expelled.
ApplyRenewal(m) ==
    /\ m \in renewals
    /\ status[m.session] = "open"
    /\ timer' = Started(m.session)
    /\ expiries' = {[e EXCEPT !.newest = @ /\ e.session # m.session] : e \in expiries}
    /\ answers' = {n \in answers : n.from # m.from} \cup {m}
    /\ UNCHANGED <<storeVars, leader, processVars, renewals, closings, callerVars>>

\* I10: the lease counts from the sending. I16: an answer to an earlier session's renewal is ignored.
ReceiveAnswer(m) ==
    /\ m \in answers
    /\ session[m.from] = m.session
    /\ LET since == IF Guard("counts-from-sending") THEN m.age ELSE 0
       IN elapsed' = [elapsed EXCEPT ![m.from] = Min(@, since)]
    /\ UNCHANGED <<storeVars, leader, timer, session, loaded, taken, messageVars, callerVars>>

-----------------------------------------------------------------------------
(* How sessions end. *)

\* I14: a new leader starts every timer in full, also if it led before.
Elect(p) ==
    /\ p # leader
    /\ leader' = p
    /\ timer' = [timer EXCEPT ![p] = [s \in Sessions |->
                    IF s \notin Live THEN Off
                    ELSE [ran |-> IF Guard("full-timer") THEN 0 ELSE timer[p][s].ran,
                          newest |-> TRUE, on |-> TRUE]]]
    /\ UNCHANGED <<storeVars, processVars, messageVars, callerVars>>

\* Any peer may: one that was deposed does not know it, and its command may reach the log all the same.
ProposeExpiry(p, s) ==
    /\ s \in Live
    /\ timer[p][s].on
    /\ timer[p][s].ran >= Wait
    /\ expiries' = expiries \cup {[session |-> s, newest |-> timer[p][s].newest]}
    /\ UNCHANGED <<storeVars, leader, timer, processVars, renewals, answers, closings, callerVars>>

\* What is under way for a session that is over has no effect, and is forgotten.
End(s) ==
    /\ status' = [status EXCEPT ![s] = "ended"]
    /\ timer' = [p \in Peers |-> [timer[p] EXCEPT ![s] = Off]]
    /\ renewals' = {m \in renewals : m.session # s}
    /\ expiries' = {m \in expiries : m.session # s}
    /\ closings' = closings \ {s}

\* I15: void if a renewal was applied after the one that it names.
ApplyExpiry(m) ==
    /\ m \in expiries
    /\ IF Guard("renewal-seen") => m.newest
       THEN End(m.session)
       ELSE expiries' = expiries \ {m} /\ UNCHANGED <<status, timer, renewals, closings>>
    /\ UNCHANGED <<owner, epoch, leader, processVars, answers, callerVars>>

\* Somebody else wants the session to end: it renews no more, and the ordinary timer decides.
Expel(s) ==
    /\ status[s] = "open"
    /\ IF Guard("expel-waits")
       THEN status' = [status EXCEPT ![s] = "expelled"] /\ UNCHANGED <<timer, renewals, expiries, closings>>
       ELSE End(s)
    /\ UNCHANGED <<owner, epoch, leader, processVars, answers, callerVars>>

\* Everything that the process has of its session: I16.
Drop(a) ==
    /\ session' = [session EXCEPT ![a] = None]
    /\ elapsed' = [elapsed EXCEPT ![a] = Ttl]
    /\ loaded' = [loaded EXCEPT ![a] = NotLoaded]
    /\ taken' = [taken EXCEPT ![a] = Nothing]

\* I21: first everything is dropped, then the closing is sent.
SendClosing(a) ==
    /\ session[a] # None
    /\ closings' = closings \cup {session[a]}
    /\ IF Guard("seal-before-close") THEN Drop(a) ELSE UNCHANGED processVars
    /\ UNCHANGED <<storeVars, leader, timer, renewals, answers, expiries, callerVars>>

ApplyClosing(s) ==
    /\ s \in closings
    /\ End(s)
    /\ UNCHANGED <<owner, epoch, leader, processVars, answers, callerVars>>

\* A renewal was refused, now or long ago: what is over stays over. I16: the process drops all of it.
LearnEnd(a) ==
    /\ session[a] # None
    /\ status[session[a]] # "open"
    /\ IF Guard("end-drops-all")
       THEN Drop(a)
       ELSE session' = [session EXCEPT ![a] = None] /\ UNCHANGED <<elapsed, loaded, taken>>
    /\ UNCHANGED <<storeVars, leader, timer, messageVars, callerVars>>

-----------------------------------------------------------------------------
(* The segment, and its numbers. *)

\* I17: never from a session that is live. I2: the epoch grows by one.
Publish(s) ==
    /\ epoch < MaxEpoch
    /\ status[s] = "open"
    /\ Guard("never-steal") => owner \in Ended \cup {None}
    /\ owner' = s
    /\ epoch' = epoch + 1
    /\ UNCHANGED <<status, leader, timer, processVars, messageVars, callerVars>>

\* Late claims are the business of HandOver.
Claim(a) ==
    /\ session[a] # None
    /\ owner = session[a]
    /\ status[owner] = "open"
    /\ epoch > loaded[a].epoch
    /\ loaded' = [loaded EXCEPT ![a] = [epoch |-> epoch, session |-> session[a]]]
    /\ taken' = [taken EXCEPT ![a] = Nothing]
    /\ UNCHANGED <<storeVars, leader, timer, session, elapsed, messageVars, callerVars>>

\* A request arrives and gets a number. Its floor is what anybody had received when it was sent: one
\* that was sent earlier has a lower floor, so that sending and taking can be one step.
Take(a) ==
    /\ loaded[a].epoch # 0
    /\ taken[a] = Nothing
    /\ taken' = [taken EXCEPT ![a] = [seq |-> loaded[a].epoch, floor |-> answered]]
    /\ UNCHANGED <<storeVars, leader, timer, session, elapsed, loaded, messageVars, callerVars>>

\* I16: the lease of the session under which the segment was claimed, no other.
LeaseValid(a) ==
    \/ ~Guard("lease-check")
    \/ /\ elapsed[a] < Ttl
       /\ Guard("lease-of-its-session") => loaded[a].session = session[a]

\* Whether a number of this process would leave now.
MayAnswer(a) == loaded[a].epoch # 0 /\ LeaseValid(a)

\* I9: the lease is looked at after the number was taken. Any time may have passed in between. The answer
\* is received at once: one that travels longer only lowers the floors of others.
ReleaseNumber(a) ==
    /\ taken[a] # Nothing
    /\ LeaseValid(a)
    /\ answered' = Max(answered, taken[a].seq)
    /\ inversions' = IF taken[a].seq < taken[a].floor
                     THEN inversions \cup {<<taken[a].seq, taken[a].floor>>} ELSE inversions
    /\ taken' = [taken EXCEPT ![a] = Nothing]
    /\ UNCHANGED <<storeVars, leader, timer, session, elapsed, loaded, messageVars>>

\* A refusal delivers nothing; the number is used up.
Refuse(a) ==
    /\ taken[a] # Nothing
    /\ taken' = [taken EXCEPT ![a] = Nothing]
    /\ UNCHANGED <<storeVars, leader, timer, session, elapsed, loaded, messageVars, callerVars>>

-----------------------------------------------------------------------------

Next ==
    \/ Tick
    \/ \E a \in Processes :
        \/ OpenSession(a) \/ SendRenewal(a) \/ SendClosing(a) \/ LearnEnd(a)
        \/ Claim(a) \/ Take(a) \/ ReleaseNumber(a) \/ Refuse(a)
    \/ \E m \in renewals : ApplyRenewal(m)
    \/ \E m \in answers : ReceiveAnswer(m)
    \/ \E m \in renewals \cup answers : SendAgain(m)
    \/ \E m \in expiries : ApplyExpiry(m)
    \/ \E s \in closings : ApplyClosing(s)
    \/ \E s \in Sessions : Expel(s) \/ Publish(s)
    \/ \E p \in Peers : Elect(p) \/ \E s \in Sessions : ProposeExpiry(p, s)

\* Which process or peer is which makes no difference: TLC looks at one of each kind.
Symmetry == Permutations(Processes) \cup Permutations(Peers)

Spec == Init /\ [][Next]_vars

\* G2: a number is greater than all that were received before its request was sent.
Ordered == inversions = {}

\* While a process takes its lease for valid, StoreSvr has not ended its session. HandOver rests on it.
LeaseMeansLive ==
    \A a \in Processes : session[a] # None /\ elapsed[a] < Ttl => session[a] \in Live

\* Who would answer now is the owner, in the present epoch: so no other one answers.
AnswerMeansOwner ==
    \A a \in Processes : MayAnswer(a) => owner = loaded[a].session /\ epoch = loaded[a].epoch /\ owner \in Live

=============================================================================
