// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.internal.provider.guard;

import io.highway.sdk.dubbo.HighwayConfigurationException;
import io.highway.sdk.dubbo.HighwayException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.utils.DefaultSerializeClassChecker;
import org.apache.dubbo.common.utils.StringUtils;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.StatusRpcException;
import org.apache.dubbo.rpc.service.GenericException;
import org.jspecify.annotations.Nullable;

/**
 * Converts exceptions of a service so that every caller can read them. A {@code HighwayException} becomes a plain
 * {@code RpcException} with its code and message and without a cause: callers may lack the SDK, and under Dubbo's
 * serialize check ({@code STRICT} by default) an answer with an unlisted class closes a Triple connection with all
 * calls on it. The same applies to an {@code RpcException} that Dubbo created for a failed call made by the service,
 * which wraps an {@code ExecutionException} (not on that list either), and to the exceptions that a future of such a
 * call throws.
 *
 * <p>To another island, every class of an exception that the serialize check does not list is replaced by a {@code
 * RuntimeException} with its text, and so are errors and what {@link WritableExceptions} cannot write: the calls of all
 * islands share the connection of a gateway. The check lists what the methods of the service declare.
 */
final class ExceptionConverter {

    private static final int LONGEST_TEXT = 10_000;

    private final Predicate<Class<?>> listed;

    private ExceptionConverter(Predicate<Class<?>> listed) {
        this.listed = listed;
    }

    /** The exception to answer with: the same one if it contains no class of the SDK. */
    static Throwable of(Throwable thrown) {
        return new ExceptionConverter(any -> true).plainOrText(thrown);
    }

    /** The exception to answer another island's call of a service with. */
    static Throwable toAnotherIsland(Throwable thrown, Invocation call, URL service) {
        DefaultSerializeClassChecker check =
                service.getOrDefaultFrameworkModel().getBeanFactory().getBean(DefaultSerializeClassChecker.class);
        Throwable plain = new ExceptionConverter(type -> check == null || isListed(type, check)).plainOrText(thrown);
        return plain instanceof Error || !WritableExceptions.isWritable(plain, call, service) ? asText(plain) : plain;
    }

    private static boolean isListed(Class<?> type, DefaultSerializeClassChecker check) {
        try {
            return check.loadClass(type.getClassLoader(), type.getName()) != null;
        } catch (IllegalArgumentException | ClassNotFoundException e) {
            return false;
        }
    }

    /** Methods of an exception may throw, and so may those that its serialization calls. */
    private Throwable plainOrText(Throwable thrown) {
        try {
            return plainOf(thrown);
        } catch (Throwable e) {
            return asText(thrown);
        }
    }

    private Throwable plainOf(Throwable thrown) throws IOException, ClassNotFoundException {
        if (isUnreadable(thrown)) {
            return plain(thrown);
        }
        if (thrown instanceof GenericException generic
                && HighwayException.class.getName().equals(generic.getExceptionClass())) {
            generic.setExceptionClass(RpcException.class.getName());
            return generic;
        }
        return contains(thrown, Collections.newSetFromMap(new IdentityHashMap<>())) ? copy(thrown) : thrown;
    }

    private boolean isUnreadable(@Nullable Object object) {
        return isOfTheSdk(object) || (object instanceof Throwable thrown && !listed.test(thrown.getClass()));
    }

    private static boolean isOfTheSdk(@Nullable Object object) {
        return object instanceof HighwayException
                || object instanceof HighwayConfigurationException
                || (object instanceof RpcException failure && isOfACall(failure))
                || (object instanceof Exception wrapper && isOfAFuture(wrapper) && isOfTheSdk(wrapper.getCause()));
    }

    /** Whether {@code Future#get} or {@code CompletableFuture#join} throws it; neither class is on Dubbo's list. */
    private static boolean isOfAFuture(@Nullable Throwable thrown) {
        return thrown instanceof ExecutionException || thrown instanceof CompletionException;
    }

    /** Whether Dubbo created it for a failed call; an exception of an application may have any cause. */
    private static boolean isOfACall(RpcException failure) {
        Throwable cause = failure.getCause();
        return isOfAFuture(cause) || cause instanceof RemotingException || failure instanceof StatusRpcException;
    }

    /** As Dubbo's {@code ExceptionFilter} answers with an exception that callers may not know. */
    private static RuntimeException asText(Throwable thrown) {
        String text;
        try {
            text = StringUtils.toString(thrown);
        } catch (Throwable e) { // of its methods
            text = thrown.getClass().getName();
        }
        return new RuntimeException(text.substring(0, Math.min(text.length(), LONGEST_TEXT)));
    }

    private static RuntimeException plain(Throwable thrown) {
        if (!isOfTheSdk(thrown)) {
            return asText(thrown);
        }
        Throwable core = thrown;
        while (isOfAFuture(core) && core.getCause() != null) {
            core = core.getCause();
        }
        while (core instanceof RpcException failure
                && failure.getCause() instanceof Exception wrapper
                && isOfAFuture(wrapper)
                && wrapper.getCause() instanceof RpcException inner) {
            core = inner; // Dubbo wraps an answered RpcException like this, with code 0
        }
        RpcException plain = core instanceof RpcException failure
                ? new RpcException(failure.getCode(), failure.getMessage())
                : new RpcException(core.getMessage());
        plain.setStackTrace(thrown.getStackTrace());
        return plain;
    }

    private boolean contains(@Nullable Throwable thrown, Set<Throwable> seen) {
        if (thrown == null || !seen.add(thrown)) {
            return false;
        }
        if (isUnreadable(thrown) || contains(thrown.getCause(), seen)) {
            return true;
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            if (contains(suppressed, seen)) {
                return true;
            }
        }
        return false;
    }

    /** A cause cannot be replaced, so the exception is copied by Java serialization. */
    private Throwable copy(Throwable thrown) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Writer writer = new Writer(bytes)) {
            writer.writeObject(thrown);
            writer.flush();
            try (Reader reader = new Reader(new ByteArrayInputStream(bytes.toByteArray()), writer.classes)) {
                return (Throwable) reader.readObject();
            }
        }
    }

    private final class Writer extends ObjectOutputStream {

        private final Map<String, Class<?>> classes = new HashMap<>();

        Writer(OutputStream out) throws IOException {
            super(out);
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object object) {
            return isUnreadable(object) ? plain((Throwable) object) : object;
        }

        @Override
        protected void annotateClass(Class<?> type) {
            classes.put(type.getName(), type);
        }
    }

    /** Reads the output of {@link Writer} with the same classes. */
    private static final class Reader extends ObjectInputStream {

        private final Map<String, Class<?>> classes;

        Reader(InputStream in, Map<String, Class<?>> classes) throws IOException {
            super(in);
            this.classes = classes;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass type) throws IOException, ClassNotFoundException {
            Class<?> known = classes.get(type.getName());
            return known != null ? known : super.resolveClass(type);
        }
    }
}
