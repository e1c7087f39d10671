# Java: streams, channels, mapped files, threads, a child process; the compiler, too.
#: needs java javac
#: package default-jdk-headless
prepare() {
    cat >Main.java <<'JAVA'
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.concurrent.*;

public class Main {
    public static void main(String[] arguments) throws Exception {
        try (RandomAccessFile file = new RandomAccessFile("random", "rw")) {
            for (int i = 0; i < 100; i++) {
                file.seek(i * 512L);
                file.writeInt(i);
            }
        }
        try (FileChannel channel = FileChannel.open(Path.of("mapped"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 65536);
            for (int i = 0; i < 16384; i++) map.putInt(i);
            map.force();
            channel.write(ByteBuffer.wrap("end".getBytes()), 65536);
        }
        ExecutorService pool = Executors.newFixedThreadPool(8);
        for (int i = 0; i < 64; i++) {
            int n = i;
            pool.submit(() -> Files.writeString(Path.of("thread" + n), "n".repeat(n * 100)));
        }
        pool.shutdown();
        pool.awaitTermination(60, TimeUnit.SECONDS);
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("."), "thread*")) {
            for (Path file : files) bytes += Files.size(file);
        }
        System.out.println(bytes);
        Process child = new ProcessBuilder("sh", "-c", "cat; exit 5").start();
        child.getOutputStream().write("to a child\n".getBytes());
        child.getOutputStream().close();
        System.out.print(new String(child.getInputStream().readAllBytes()));
        System.out.println(child.waitFor());
        try {
            new FileInputStream("missing");
        } catch (FileNotFoundException e) {
            System.err.println(e.getMessage());
        }
        System.exit(4);
    }
}
JAVA
}
run() {
    javac Main.java
    java Main
}
