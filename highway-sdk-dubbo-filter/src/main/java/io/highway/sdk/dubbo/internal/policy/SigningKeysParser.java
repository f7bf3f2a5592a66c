// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.policy;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.internal.policy.SigningKeys.Accepted;
import io.highway.sdk.dubbo.internal.policy.SigningKeys.Own;
import java.nio.file.InvalidPathException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code sign.*} keys into {@link SigningKeys}. Its errors never contain a secret. */
final class SigningKeysParser {

    private static final String KEY_ID_NAME = HighwayKeys.SIGN_KEY_ID.name();
    private static final String SECRET = HighwayKeys.SIGN_SECRET.name();

    private final Map<String, String> secrets = new TreeMap<>();
    private final Map<String, String> callers = new TreeMap<>();

    /** Takes a key if it names the id of a key. */
    boolean takes(String key, String value) {
        if (key.startsWith(SigningKeys.ACCEPT) && key.length() > SigningKeys.ACCEPT.length()) {
            secrets.put(key.substring(SigningKeys.ACCEPT.length()), value);
            return true;
        }
        if (key.startsWith(SigningKeys.ACCEPT_FROM) && key.length() > SigningKeys.ACCEPT_FROM.length()) {
            callers.put(key.substring(SigningKeys.ACCEPT_FROM.length()), value);
            return true;
        }
        return false;
    }

    /**
     * Reads the keys.
     *
     * @param general the general keys
     * @param islands the keys of each island
     */
    SigningKeys read(GeneralSettings general, Map<String, Map<String, String>> islands) {
        Map<String, Own> ownTo = new TreeMap<>();
        islands.forEach((id, keys) -> {
            Own own = own("islands." + id + ".", keys, "use highway.sign.key-id for this island");
            if (own != null) {
                ownTo.put(id, own);
            }
        });
        Map<String, Accepted> accepted = new TreeMap<>();
        secrets.forEach((id, value) -> {
            requireKeyId(SigningKeys.ACCEPT + shown(id), id);
            SecretSource accepts = secret(SigningKeys.ACCEPT + id, value);
            String from = callers.get(id);
            accepted.put(
                    id,
                    new Accepted(
                            accepts,
                            from == null
                                    ? null
                                    : CallerPattern.list(HighwayKeys.PREFIX + SigningKeys.ACCEPT_FROM + id, from)));
        });
        callers.keySet().forEach(id -> {
            if (!accepted.containsKey(id)) {
                throw new HighwayConfigurationException(
                        HighwayKeys.PREFIX + SigningKeys.ACCEPT_FROM + shown(id),
                        "there is no highway." + SigningKeys.ACCEPT + shown(id),
                        Suggestions.hint(id, accepted.keySet(), "Write the key's secret there, or remove this key"));
            }
        });
        return new SigningKeys(
                own("", general.texts(), "switch signing off"),
                ownTo,
                accepted,
                general.get(HighwayKeys.SIGN_MAX_NONCES),
                general.get(HighwayKeys.SIGN_SHADOW));
    }

    /** The key below a prefix, or null if there is none. */
    private static @Nullable Own own(String prefix, Map<String, String> keys, String withoutBoth) {
        String keyId = keys.get(KEY_ID_NAME);
        String secret = keys.get(SECRET);
        if (keyId != null && secret != null) {
            requireKeyId(prefix + KEY_ID_NAME, keyId);
            return new Own(keyId, secret(prefix + SECRET, secret));
        }
        if (keyId != null || secret != null) {
            throw new HighwayConfigurationException(
                    HighwayKeys.PREFIX + prefix + (keyId == null ? KEY_ID_NAME : SECRET),
                    "missing, though the other of sign.key-id and sign.secret is set",
                    "Write both, or neither to " + withoutBoth);
        }
        return null;
    }

    /** Of a key's id in a message: a malformed one may be a secret. */
    private static String shown(String keyId) {
        return Key.NAME.matcher(keyId).matches() ? keyId : "<key-id>";
    }

    private static void requireKeyId(String key, String keyId) {
        if (!Key.NAME.matcher(keyId).matches()) {
            throw HighwayConfigurationException.notAllowed(
                    HighwayKeys.PREFIX + key,
                    keyId,
                    "a key id of 1 to 63 lower-case letters, digits and hyphens",
                    "Rename the key, such as zhejiang-2026");
        }
    }

    private static SecretSource secret(String key, String value) {
        SecretSource secret = new SecretSource(HighwayKeys.PREFIX + key, value);
        if (value.isEmpty()) {
            throw new HighwayConfigurationException(
                    secret.key(), "the secret is empty", "Write the key's secret, any text, or file:<path>");
        }
        try {
            if (secret.file() != null && secret.file().toString().isEmpty()) {
                throw new HighwayConfigurationException(
                        secret.key(), "the path of the file is empty", "Write file:<path>");
            }
        } catch (InvalidPathException e) {
            throw new HighwayConfigurationException(
                    secret.key(), "the path of the file is malformed", "Write file:<path>");
        }
        return secret;
    }
}
