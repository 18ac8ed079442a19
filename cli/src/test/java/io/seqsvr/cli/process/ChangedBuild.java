package io.seqsvr.cli.process;

import io.seqsvr.chaos.process.Launcher;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An installation of the program in which some classes are changed: they stand in its first jar, and so are found
 * before those that are shipped.
 */
final class ChangedBuild {
    private static final String SCRIPT = "seqsvr";

    private final Path shipped = Launcher.find().home();
    private final Path home;
    private final Path jar;

    /**
     * A copy of what is built, as it is.
     *
     * @param home where it is to be
     */
    ChangedBuild(Path home) throws IOException {
        this.home = home;
        var built = shipped.resolve("cli/target");
        var target = Files.createDirectories(home.resolve("cli/target"));
        Files.copy(shipped.resolve(SCRIPT), home.resolve(SCRIPT), StandardCopyOption.COPY_ATTRIBUTES);
        var libraries = Files.createDirectory(target.resolve("lib"));
        try (var files = Files.newDirectoryStream(built.resolve("lib"))) {
            for (var file : files) {
                Files.copy(file, libraries.resolve(file.getFileName()));
            }
        }
        try (var files = Files.newDirectoryStream(built, "seqsvr-cli-*SNAPSHOT.jar")) {
            var shippedJar = files.iterator().next();
            this.jar = Files.copy(shippedJar, target.resolve(shippedJar.getFileName()));
        }
    }

    /** A line of its launcher. */
    ProcessBuilder command(List<String> arguments) {
        var command = Launcher.find().command(arguments);
        command.command().set(0, home.resolve(SCRIPT).toString());
        return command;
    }

    /** Writes one text for another, wherever it stands in this file, which it must. */
    record Edit(String file, String from, String to) {}

    /** Compiles files of ours anew. */
    ChangedBuild edit(Edit... edits) throws IOException {
        var sources = Files.createDirectories(home.resolve("sources"));
        var changed = new ArrayList<Path>();
        for (var edit : edits) {
            var copy = sources.resolve(Path.of(edit.file()).getFileName());
            var text = Files.readString(Files.exists(copy) ? copy : shipped.resolve(edit.file()));
            if (!text.contains(edit.from())) {
                throw new IllegalStateException(edit.file() + " does not hold \"" + edit.from() + "\" any more");
            }
            Files.writeString(copy, text.replace(edit.from(), edit.to()));
            if (!changed.contains(copy)) {
                changed.add(copy);
            }
        }
        return compile(changed);
    }

    /**
     * Has a class call another method where it called this one, which belongs to an object.
     *
     * @param from binary name of the class that is changed
     * @param owner binary name of the class of the method
     * @param name its name
     * @param source a class without a package that has a static method of this name, which gets the object first
     */
    ChangedBuild redirect(String from, String owner, String name, String source) throws IOException {
        var file = from.replace('.', '/') + ".class";
        var reader = new ClassReader(bytes(file));
        var writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        var other = source.replaceFirst("(?s).*?class (\\w+).*", "$1");
        var calls = new Redirection(writer, owner.replace('.', '/'), name, from.replaceFirst("\\w+$", "") + other);
        reader.accept(calls, 0);
        if (calls.redirected == 0) {
            throw new IllegalStateException(from + " does not call " + owner + "." + name + " any more");
        }
        var classes = Files.createDirectories(home.resolve("redirected"));
        var changed = classes.resolve(file);
        Files.createDirectories(changed.getParent());
        Files.write(changed, writer.toByteArray());
        add(classes);
        var beside = home.resolve(other + ".java");
        Files.writeString(beside, "package " + from.replaceFirst("\\.\\w+$", "") + ";\n" + source);
        return compile(List.of(beside));
    }

    private static final class Redirection extends ClassVisitor {
        private final String owner;
        private final String name;
        private final String other;
        private int redirected;

        private Redirection(ClassVisitor next, String owner, String name, String other) {
            super(Opcodes.ASM9, next);
            this.owner = owner;
            this.name = name;
            this.other = other.replace('.', '/');
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String method, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(
                    Opcodes.ASM9, super.visitMethod(access, method, descriptor, signature, exceptions)) {
                @Override
                public void visitMethodInsn(int code, String of, String called, String takes, boolean isInterface) {
                    if (of.equals(owner) && called.equals(name)) {
                        redirected++;
                        var withObject = "(L" + owner + ";" + takes.substring(1);
                        super.visitMethodInsn(Opcodes.INVOKESTATIC, other, called, withObject, false);
                    } else {
                        super.visitMethodInsn(code, of, called, takes, isInterface);
                    }
                }
            };
        }
    }

    private byte[] bytes(String file) throws IOException {
        for (var library : libraries()) {
            try (var opened = new JarFile(library.toFile())) {
                var entry = opened.getEntry(file);
                if (entry != null) {
                    return opened.getInputStream(entry).readAllBytes();
                }
            }
        }
        throw new IllegalStateException("no library holds " + file + " any more");
    }

    private List<Path> libraries() throws IOException {
        try (var files = Files.list(home.resolve("cli/target/lib"))) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    private ChangedBuild compile(List<Path> sources) throws IOException {
        var classes = Files.createDirectories(home.resolve("classes"));
        var path = Stream.concat(Stream.of(jar), libraries().stream())
                .map(Path::toString)
                .toList();
        var line = Stream.concat(
                Stream.of(
                        "--release",
                        "17",
                        "-proc:none",
                        "-nowarn",
                        "-cp",
                        String.join(File.pathSeparator, path),
                        "-d",
                        classes.toString()),
                sources.stream().map(Path::toString));
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, line.toArray(String[]::new));
        if (status != 0) {
            throw new IllegalStateException(sources + " do not compile");
        }
        add(classes);
        return this;
    }

    /** Puts all of a directory into the first jar. */
    private void add(Path classes) throws IOException {
        try (var inside = FileSystems.newFileSystem(jar);
                var files = Files.walk(classes)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var entry = inside.getPath("/" + classes.relativize(file));
                Files.createDirectories(entry.getParent());
                Files.copy(file, entry, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
