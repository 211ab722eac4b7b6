import java.nio.file.Path;
import maestro.orchestra.MaestroCommand;
import maestro.orchestra.yaml.YamlCommandReader;

/** Reads flows as Maestro does and prints each of their commands in its words. */
public final class ReadFlow {
    public static void main(String[] flows) {
        for (String flow : flows) {
            for (MaestroCommand command : YamlCommandReader.INSTANCE.readCommands(Path.of(flow))) {
                System.out.println(command.description());
            }
        }
    }
}
