// SPDX-License-Identifier: BSD-3-Clause
import ij.IJ;
import ij.ImageJ;
import java.awt.GraphicsEnvironment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Runs a macro in a freshly started ImageJ and prints the open windows, one per line; see {@link Person#replay}. */
final class Replay {
    private Replay() {}

    public static void main(String[] args) throws Exception {
        String macro = new String(Files.readAllBytes(Paths.get(args[0])), StandardCharsets.UTF_8);
        if (GraphicsEnvironment.isHeadless()) {
            new drua.headless.MacroRun(macro, "", null, null, false).run();
        } else {
            new ImageJ();
            Thread thread = new Thread(() -> IJ.runMacro(macro), "Run$_Macro$");
            thread.setDaemon(true);
            thread.start();
            while (thread.isAlive() && Person.message().isEmpty())
                thread.join(50);
            if (!Person.message().isEmpty())
                System.out.println(Person.message());
            Person.photograph("replay");
        }
        Person.images().forEach((title, image) -> System.out.println(title + "\t" + image));
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
