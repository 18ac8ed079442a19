package io.seqsvr.storesvr.backup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The files of a backup, format 1.
 *
 * <pre>
 * backup.json   what it is (BackupManifest)
 * rows-00000    rows (BackupRows), the first page; further pages with numbers that follow
 * SHA256SUMS    a line for each file above, as sha256sum writes it; the digest of the backup is that of this file
 * RESTORED      of a backup that was restored from there: a line for each restore, which wrote it; in no digest
 * </pre>
 */
final class BackupFiles {
    static final int FORMAT = 1;
    static final String MANIFEST = "backup.json";
    static final String SUMS = "SHA256SUMS";
    static final String NOTES = "RESTORED";

    private BackupFiles() {}

    static String page(int number) {
        return String.format(Locale.ROOT, "rows-%05d", number);
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    /** The file of digests, of digests by name in the order of the map. */
    static byte[] sums(Map<String, String> digests) {
        return digests.entrySet().stream()
                .map(file -> file.getValue() + "  " + file.getKey() + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }
}
