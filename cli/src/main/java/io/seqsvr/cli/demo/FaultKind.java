package io.seqsvr.cli.demo;

import io.seqsvr.chaos.lab.Need;
import java.util.List;
import java.util.Locale;

/** What can be done to a node. */
public enum FaultKind {
    /** SIGKILL, until it is started again. */
    KILL("SIGKILL, then a new process"),
    /** SIGSTOP, until SIGCONT. */
    PAUSE("SIGSTOP, then SIGCONT"),
    /** The kernel lets none of its threads run. */
    FREEZE("stands still in a frozen control group, then goes on", Need.FREEZER),
    /** SIGTERM, until it is started again. */
    RESTART("SIGTERM, then a new process"),
    /** It hands over what it owns, and stays without until it is restarted. */
    DRAIN("hands over all, then a new process"),
    /** It hands over some of what it owns, and goes on. */
    MOVE("hands over half of its segments to another, and goes on"),
    /** As for a new version: nobody should notice. */
    ROLL("SIGTERM, then a new process: one after another"),
    /** The kernel kills what it cannot give memory to. */
    KILL_FOR_MEMORY("gets no more memory; the kernel kills it, then a new process", Need.MEMORY_LIMIT),
    /** Its data is gone, and a new peer has to take its place. */
    WIPE("its data is gone: it refuses to start, then a new peer"),
    /** Some of its data is wrong, and a new peer has to take its place. */
    FLIP_BIT("a bit of its data is flipped: it refuses to start, then a new peer"),
    /** An operator takes it out of its group, and adds another one. */
    REMOVE("is taken out of the group, then another peer joins"),
    /** Nobody reaches it, and it reaches nobody. */
    CUT("all it sends and gets is lost", Need.NETWORK),
    /** It is heard, and hears nobody. */
    CUT_IN("all it gets is lost", Need.NETWORK),
    /** It hears, and is not heard. */
    CUT_OUT("all it sends is lost", Need.NETWORK),
    /** Callers reach it, and StoreSvr does not. */
    SPLIT("all between it and StoreSvr is lost; for an application, AllocSvrs", Need.NETWORK),
    /** A bad network, with which everything goes on. */
    ROUGHEN("50 to 150 ms later; 1 % lost, some doubled, overtaken, damaged", Need.NETWORK),
    /** Some of it never comes. */
    LOSE("5 % of what it sends and gets is lost", Need.NETWORK),
    /** It takes its time, now more and now less. */
    DELAY("all it sends and gets is 50 to 150 ms late", Need.NETWORK),
    /** Some of it comes twice. */
    DOUBLE("5 % of what it sends and gets comes twice", Need.NETWORK),
    /** Some of it comes after what was sent later. */
    OVERTAKE("5 % of what it sends and gets is overtaken", Need.NETWORK),
    /** Some of it is not what was sent. */
    DAMAGE("a bit of 1 % of what it sends and gets is flipped", Need.NETWORK),
    /** A network with which nothing is in time. */
    LAG("all it sends and gets is 2 s late", Need.NETWORK),
    /** Now and then nothing comes for a while, and then all of it at once. */
    SPIKE("all it sends and gets in half a second of each four is 2 s late", Need.NETWORK),
    /** Connections break, again and again. */
    RESET("its connections are reset, the new ones too", Need.NETWORK),
    /** Little fits through. */
    NARROW("256 kbit/s each way", Need.NETWORK),
    /** Somebody sets its wall clock. */
    SET_AHEAD("its wall clock is set 2 h ahead, then right", Need.CLOCKS),
    /** The same the other way. */
    SET_BACK("its wall clock is set 2 h back, then right", Need.CLOCKS),
    /** As fast as a clock may go. */
    SPEED_UP("its clocks go 1 % faster", Need.CLOCKS),
    /** As slow as a clock may go. */
    SLOW_DOWN("its clocks go 1 % slower", Need.CLOCKS),
    /** Faster than any clock may go. */
    RUSH("its clocks go 20 % faster, which is outside of the rules", Need.CLOCKS),
    /** Slower than any clock may go. */
    CRAWL("its clocks go 20 % slower, which is outside of the rules", Need.CLOCKS),
    /** What no monotonic clock may do. */
    TURN_BACK("its monotonic clock jumps 10 s back, which is outside of the rules", Need.CLOCKS),
    /** Its virtual machine stands still, and with it the clock by which it measures time. */
    SUSPEND("stands still, and its monotonic clock too", Need.CLOCKS),
    /** Others take the processor. */
    STARVE("gets 20 % of a processor, or less", Need.CPU_QUOTA),
    /** Somebody leaks files. */
    EXHAUST("can open no more files or connections", Need.FILE_LIMIT),
    /** Its disk says no once. */
    FAIL_SYNC("a sync fails; it stops, then a new process", Need.DISK_CALLS),
    /** Its disk says no for good. */
    FAIL_SYNCS("all syncs fail; it stops, then a new process", Need.DISK_CALLS),
    /** Its disk says nothing. */
    HANG_SYNC("syncs do not end", Need.DISK_CALLS),
    /** Its disk is busy. */
    SLOW_SYNC("syncs take 2 s longer", Need.DISK_CALLS),
    /** Somebody fills its disk. */
    FILL("its disk is full, then a new process", Need.DISKS),
    /** Its file system gives up. */
    TURN_READ_ONLY("its disk takes no more writes, then a new process", Need.DISKS),
    /** What was not synced is gone. */
    CUT_POWER("loses what was not synced, then a new process", Need.DISKS),
    /** Its disk said that it had written, and had not. */
    FORGET(
            "syncs do nothing, then its power goes, which is outside of the rules; a new process or a new peer",
            Need.DISK_CALLS,
            Need.DISKS);

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes none that could change
    private final List<Need> needs;

    FaultKind(String words, Need... needs) {
        this.words = words;
        this.needs = List.of(needs);
    }

    /** As it is typed. */
    public String verb() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** For people. */
    public String words() {
        return words;
    }

    /** What the machine must let us do for it. */
    public List<Need> needs() {
        return needs;
    }

    /** Whether it is about data or the group, which StoreSvr alone has. */
    boolean isOfStore() {
        return needs.contains(Need.DISK_CALLS)
                || needs.contains(Need.DISKS)
                || this == WIPE
                || this == FLIP_BIT
                || this == REMOVE;
    }

    /** Whether somebody asks nodes to do something, and waits until they have: not while others are broken. */
    boolean isAsked() {
        return this == DRAIN || this == MOVE || this == ROLL || this == REMOVE;
    }

    /** Whether it can befall an application too, which is not ours to run. */
    boolean isOfCallers() {
        return switch (this) {
            case KILL, PAUSE, FREEZE, SUSPEND, STARVE, CUT, CUT_IN, CUT_OUT, SPLIT, DELAY, LAG, RESET, NARROW -> true;
            default -> isOfFrames() || setsTheWall();
        };
    }

    /** Whether it befalls a whole tier only. */
    boolean isOfTiers() {
        return this == ROLL;
    }

    /** Whether it makes an allocator hand over what it owns. */
    boolean handsOver() {
        return this == RESTART || this == DRAIN || this == MOVE || this == ROLL;
    }

    /** Whether an owner that it befalls for longer than its lease loses what it owns. */
    boolean silences() {
        return switch (this) {
            case KILL, KILL_FOR_MEMORY, PAUSE, FREEZE, CUT, CUT_IN, CUT_OUT, SPLIT, SUSPEND -> true;
            default -> false;
        };
    }

    /** Whether an owner may lose what it owns, as it cannot renew its lease in time or does not trust its clocks. */
    boolean disturbs() {
        return switch (this) {
            case DELAY, LAG, RESET, NARROW, SET_AHEAD, SET_BACK, RUSH, CRAWL, TURN_BACK, STARVE, EXHAUST -> true;
            default -> isOfFrames();
        };
    }

    /** Whether it befalls some frames of a network, and not the bytes of a connection. */
    boolean isOfFrames() {
        return switch (this) {
            case ROUGHEN, LOSE, DOUBLE, OVERTAKE, DAMAGE, SPIKE -> true;
            default -> false;
        };
    }

    /** Whether so little comes through in time that nobody can rely on a node which is left alone behind it. */
    boolean isTooSlow() {
        return this == LAG || this == NARROW;
    }

    /** Whether clocks go wrong by no more than they may. */
    boolean isTrueToTheRules() {
        return this == SPEED_UP || this == SLOW_DOWN;
    }

    /** Whether somebody sets the wall clock, by which nobody but an owner and the leader goes. */
    boolean setsTheWall() {
        return this == SET_AHEAD || this == SET_BACK;
    }

    /** Whether a node that is struck goes on in part, so that others take longer to see that it leads no more. */
    boolean isHalfDone() {
        return switch (this) {
            case CUT_IN, CUT_OUT, NARROW, HANG_SYNC, SLOW_SYNC, RUSH, CRAWL, TURN_BACK -> true;
            default -> false;
        };
    }

    /** Whether a process stands still, and goes on with what it knew. */
    boolean isWoken() {
        return stops() || this == SUSPEND;
    }

    /** Whether a process stands still as a whole, and goes on where it was. */
    boolean stops() {
        return this == PAUSE || this == FREEZE;
    }

    /** Whether others see at once what it does, and it does no more after that: the process is gone, or was asked. */
    boolean ends() {
        return switch (this) {
            case KILL, KILL_FOR_MEMORY, RESTART, DRAIN, MOVE, ROLL, CUT_POWER, WIPE, FLIP_BIT, REMOVE -> true;
            default -> false;
        };
    }
}
