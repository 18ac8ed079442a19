package io.seqsvr.router;

import io.seqsvr.core.store.StoreCommand;
import io.seqsvr.node.settings.SettingsException;
import io.seqsvr.node.settings.SettingsReader;
import io.seqsvr.proto.rpc.HostPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of one router.
 *
 * @param name its name, borne by no other running process of the cluster; its address if absent
 * @param listen where it listens; port 0 takes a free one
 * @param advertise under which address others know it; where it listens if absent
 * @param store addresses of the StoreSvr peers
 * @param storeTimeout after which a command's outcome counts as unknown
 */
public record RouterSettings(
        Optional<String> name,
        HostPort listen,
        Optional<HostPort> advertise,
        List<HostPort> store,
        Duration storeTimeout) {
    /** Where it listens if nothing is set. */
    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 7700);
    /** After which a command's outcome counts as unknown. */
    public static final Duration DEFAULT_STORE_TIMEOUT = Duration.ofSeconds(2);

    /** Keeps a copy. */
    public RouterSettings {
        store = List.copyOf(store);
    }

    /**
     * Reads the settings.
     *
     * @throws SettingsException with every problem at once
     */
    public static RouterSettings read(SettingsReader file) throws SettingsException {
        var name = file.optionalText("name");
        int length = name.map(String::length).orElse(1);
        if (name.map(String::isBlank).orElse(false) || length > StoreCommand.MAX_NAME) {
            file.problem("name has " + length + " characters, or blanks only; it must have 1 to "
                    + StoreCommand.MAX_NAME + " and one that is no blank");
        }
        var listen = file.address("listen", DEFAULT_LISTEN);
        var advertise = file.advertise(listen);
        var store = file.addresses("store");
        var timeout = file.duration("store_timeout", DEFAULT_STORE_TIMEOUT);
        if (timeout.toMillis() < 100 || timeout.toSeconds() > 60) {
            file.problem("store_timeout is " + timeout.toMillis() + " ms; it must be from 100 ms to 60 s");
        }
        file.finish();
        return new RouterSettings(name, listen, advertise, store, timeout);
    }
}
