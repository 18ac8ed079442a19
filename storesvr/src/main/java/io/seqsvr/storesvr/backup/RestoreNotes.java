package io.seqsvr.storesvr.backup;

import io.seqsvr.core.store.Restoration;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is known of earlier restores of one backup: a file in its directory, a line for each, outside of its digests. A
 * restore from a copy of the backup, or from another backup of the same life, does not stand there.
 */
public final class RestoreNotes {
    private static final String NEXT_FILE = BackupFiles.NOTES + ".next";
    private static final Pattern LINE = Pattern.compile("incarnation=([0-9]{1,4}) advance=([0-9]{1,19}) at=(\\S+)");

    private final Path directory;
    private final int ofBackup;
    private final List<Note> notes;

    /**
     * One restore.
     *
     * @param incarnation of the life that began
     * @param advance by how much it began above the backup
     * @param at when, for people
     */
    public record Note(int incarnation, long advance, String at) {
        private String line() {
            return "incarnation=" + incarnation + " advance=" + advance + " at=" + at + "\n";
        }
    }

    private RestoreNotes(Path directory, int ofBackup, List<Note> notes) {
        this.directory = directory;
        this.ofBackup = ofBackup;
        this.notes = notes;
    }

    /** Reads what stands beside a backup; nothing if it was never restored from there. */
    public static RestoreNotes read(Path directory, BackupFacts facts) throws BackupException {
        var file = directory.resolve(BackupFiles.NOTES);
        var notes = new ArrayList<Note>();
        try {
            if (Files.exists(file)) {
                for (var line : Files.readAllLines(file)) {
                    if (!line.isBlank()) {
                        notes.add(note(file, line));
                    }
                }
            }
        } catch (IOException unreadable) {
            throw new BackupException(file + " cannot be read, which says how this backup was restored before: "
                    + unreadable + "; make it readable, or move it away if that was never");
        }
        return new RestoreNotes(directory, facts.incarnation(), notes);
    }

    private static Note note(Path file, String line) throws BackupException {
        var parts = LINE.matcher(line);
        if (parts.matches()) {
            try {
                return new Note(Integer.parseInt(parts.group(1)), Long.parseLong(parts.group(2)), parts.group(3));
            } catch (NumberFormatException tooLarge) {
                // Said below.
            }
        }
        throw new BackupException(file + " says '" + line + "', which is no 'incarnation=N advance=N at=TIME'; mend or"
                + " remove that line");
    }

    /** Which file it is. */
    public Path file() {
        return directory.resolve(BackupFiles.NOTES);
    }

    /** Earlier restores, in their order. */
    public List<Note> all() {
        return List.copyOf(notes);
    }

    /** The incarnation to take if nobody knows of another life: one more than the last. */
    public int next() {
        return notes.stream().mapToInt(Note::incarnation).reduce(ofBackup, Math::max) + 1;
    }

    /** Lives before the next one that began after the backup's, and of whose restore nothing stands here. */
    public int unknown(int next) {
        long noted = notes.stream()
                .mapToInt(Note::incarnation)
                .filter(one -> one > ofBackup && one < next)
                .distinct()
                .count();
        return (int) Math.max(0, next - 1L - ofBackup - noted);
    }

    /**
     * The advance to offer.
     *
     * @param once what is offered for a backup that was never restored
     * @param next incarnation of the life that is to begin
     */
    public long offer(long once, int next) {
        return Restoration.offerAgain(once, greatest(), unknown(next));
    }

    private long greatest() {
        return notes.stream().mapToLong(Note::advance).reduce(0, Math::max);
    }

    /** Refuses an incarnation that a life had that began with this backup. */
    public void check(int next) throws BackupException {
        if (!notes.isEmpty() && next < next()) {
            throw new BackupException("incarnation is " + next + ", and this backup was restored as incarnation "
                    + (next() - 1) + " before: take " + next() + " or more" + unlessUnused());
        }
    }

    /** Refuses what a life had, or began above, that began with this backup. */
    public void check(int next, long advance) throws BackupException {
        check(next);
        if (!notes.isEmpty() && advance <= greatest()) {
            throw new BackupException("advance is " + advance + ", and this backup was restored with " + greatest()
                    + " before: what was handed out above that would be handed out again; state more, or leave"
                    + " --advance out to be offered one" + unlessUnused());
        }
    }

    private String unlessUnused() {
        return "; if that life never served anybody, remove its line from " + file();
    }

    /** Notes a restore, on disk; a crash leaves the notes before it or those with it. */
    public void add(Note note) throws IOException {
        notes.add(note);
        var next = directory.resolve(NEXT_FILE);
        Files.writeString(
                next,
                notes.stream().map(Note::line).collect(Collectors.joining()),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
        Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (var synced = FileChannel.open(directory, StandardOpenOption.READ)) {
            synced.force(true);
        }
    }
}
