// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** Runs in zhejiang and uploads the file {@code upload.file} to shanghai. */
public final class Consumer {

    private static final int ATTEMPTS = 100;

    private Consumer() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        ReferenceConfig<FileService> reference = new ReferenceConfig<>();
        reference.setInterface(FileService.class);
        DubboBootstrap dubbo = DubboBootstrap.getInstance().reference(reference).start();

        Path file = Path.of(System.getProperty("upload.file"));
        long size = Files.size(file);
        AtomicLong shown = new AtomicLong();
        int continued = new Uploader(reference.get(), ATTEMPTS).upload(file, stored -> show(stored, size, shown));
        System.out.println("uploaded " + size + " bytes, continued " + continued + " times");
        dubbo.stop();
    }

    /** Prints each tenth of the file once. */
    private static void show(long stored, long size, AtomicLong shown) {
        long tenths = size == 0 ? 10 : 10 * stored / size;
        if (shown.getAndAccumulate(tenths, Math::max) < tenths) {
            System.out.println(10 * tenths + " % stored");
        }
    }
}
