// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.tools.security.memory;

import io.highway.tools.security.attacker.Signer;
import io.highway.tools.security.memory.Body.Writing;
import io.highway.tools.security.memory.RawPeer.Request;
import io.highway.tools.security.star.Bankside;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that must not be decoded.
 *
 * @param routed whether they have route headers
 * @param front whether they go through nginx
 * @param requests how many at a time
 */
record Attempt(Form form, Payload payload, Signature signature, boolean routed, boolean front, int requests) {

    private static final String OBJECT = "java.lang.Object";
    private static final String TEXT = "java.lang.String";
    private static final String FROM = "zhejiang/orders/1";
    private static final int EXPIRED_SECONDS = -600;
    private static final List<Integer> AT_A_TIME = List.of(1, 4, 300);
    private static final String KEEP = "keep";

    /** Has no factor in common with the number of forms, values or signatures, so that it reaches all of them. */
    private static final int STRIDE = 11;

    /** Where the value is. */
    enum Form {
        METHOD(OBJECT),
        OVERLOADED(OBJECT, TEXT),
        GENERIC(TEXT, "[Ljava.lang.String;", "[Ljava.lang.Object;"),
        NO_SERVICE(OBJECT),
        NO_GROUP(OBJECT),

        /** Not over Triple, whose attachments are headers. */
        ATTACHMENT(OBJECT),

        /** Only over the Dubbo protocol: the kinds of {@link Request.Answer}. */
        EVENT,
        RESULT,
        ERROR;

        @SuppressWarnings("ImmutableEnumChecker") // it is
        private final List<String> types;

        Form(String... types) {
            this.types = List.of(types);
        }

        private boolean isFor(Cell cell, Payload payload) {
            boolean possible = types.isEmpty() ? cell.isDubbo() : this != ATTACHMENT || !cell.isTriple();
            return possible
                    && (this == EVENT) == (payload == Payload.EVENT)
                    && (payload != Payload.ZSTD || !cell.isDubbo());
        }
    }

    /** What they are signed with. */
    enum Signature {
        NONE(null, "", 0),
        FORGED(Provider.KEY, "another secret", 0),
        EXPIRED(Provider.KEY, Bankside.secret(Provider.KEY), EXPIRED_SECONDS),
        UNKNOWN_KEY("nobody-2026", "another secret", 0),

        /** A valid one; a rule denies the method. */
        DENIED(Provider.KEY, Bankside.secret(Provider.KEY), 0);

        private final @Nullable String key;
        private final String secret;
        private final int seconds;

        Signature(@Nullable String key, String secret, int seconds) {
            this.key = key;
            this.secret = secret;
            this.seconds = seconds;
        }
    }

    /** All that there are over a tunnel; quick, each value in each form with each signature. */
    static List<Attempt> of(Cell cell, boolean quick) {
        List<Attempt> all = new ArrayList<>();
        Form[] forms = Form.values();
        Payload[] payloads = Payload.values();
        Signature[] signatures = Signature.values();
        int kinds = forms.length * payloads.length;
        int signed = kinds * signatures.length;
        for (int i = 0; i < signed * 2 * 2 * AT_A_TIME.size(); i += quick ? STRIDE : 1) {
            Form form = forms[i % forms.length];
            Payload payload = payloads[i / forms.length % payloads.length];
            if (form.isFor(cell, payload)) {
                Signature signature = signatures[i / kinds % signatures.length];
                boolean routed = i / signed % 2 == 0 || signature == Signature.DENIED; // no rule is reached without
                int requests = payload.most(AT_A_TIME.get(i / signed / 2 / 2));
                all.add(new Attempt(form, payload, signature, routed, i / signed / 2 % 2 == 1, requests));
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return form + " " + payload + " " + signature + (routed ? "" : " without route headers")
                + (front ? " through nginx, " : ", ") + requests;
    }

    Request request(Cell cell) {
        if (form.types.isEmpty()) {
            return Request.of(Body.SERVICE, "", Map.of(), Body.hessian(payload::to))
                    .with(Request.Answer.valueOf(form.name()));
        }
        String service = form == Form.NO_SERVICE ? "com.foo.NoService" : Body.SERVICE;
        Map<String, String> headers = new LinkedHashMap<>();
        if (routed) {
            headers.put("highway-island", "shanghai");
            headers.put("highway-from", FROM);
        }
        if (signature.key != null) {
            List<String> types = form == Form.GENERIC ? List.of(OBJECT) : form.types;
            Signer signer = new Signer(signature.key, signature.secret);
            headers.put("highway-sign", signer.sign("shanghai", FROM, service, KEEP, types, signature.seconds));
        }
        Map<String, String> more =
                switch (form) {
                    case GENERIC -> Map.of("generic", "true");
                    case NO_GROUP -> Map.of(cell.group(), "zzz");
                    default -> Map.of();
                };
        Map<String, Writing> attached = form == Form.ATTACHMENT ? Map.of("x", payload::to) : Map.of();
        return new Body(service, form == Form.GENERIC ? "$invoke" : KEEP, form.types, arguments(), attached)
                .request(cell, headers, more, payload == Payload.ZSTD ? "zstd" : null);
    }

    private List<Writing> arguments() {
        return switch (form) {
            case ATTACHMENT -> List.of(out -> out.writeString("tea"));
            case OVERLOADED -> List.of(payload::to, out -> out.writeString("tea"));
            case GENERIC ->
                List.of(out -> out.writeString(KEEP), out -> out.writeObject(new String[] {OBJECT}), out -> {
                    Payload.begin(out, 1, "[object");
                    payload.to(out);
                });
            default -> List.of(payload::to);
        };
    }
}
