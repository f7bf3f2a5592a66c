// SPDX-FileCopyrightText: the Highway SDK authors
// SPDX-License-Identifier: Apache-2.0
package io.highway.samples.upload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** Runs in shanghai and stores files in the folder {@code upload.folder}. */
public final class Provider {

    private Provider() {}

    public static void main(String[] arguments) throws IOException {
        ServiceConfig<FileService> service = new ServiceConfig<>();
        service.setInterface(FileService.class);
        service.setRef(new StoredFiles(Files.createDirectories(Path.of(System.getProperty("upload.folder")))));
        DubboBootstrap.getInstance().service(service).start().await();
    }
}
