// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.sdk.dubbo.it;

import java.io.IOException;
import java.net.Socket;

/** Plain sockets of gateways and balancers that a test makes itself. */
final class Sockets {

    private Sockets() {}

    /** Work that ends when its socket is closed. */
    interface Io {

        void run() throws IOException;
    }

    static void inBackground(Io work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        Thread.currentThread().interrupt(); // closed
                    }
                },
                "socket");
        thread.setDaemon(true);
        thread.start();
    }

    /** Passes the bytes of both on to the other. */
    static void relay(Socket client, Socket onward) {
        inBackground(() -> client.getInputStream().transferTo(onward.getOutputStream()));
        inBackground(() -> onward.getInputStream().transferTo(client.getOutputStream()));
    }
}
