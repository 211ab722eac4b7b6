package org.droidmux.framework.apk;

import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.reader.BaseDexFileReader;
import com.googlecode.d2j.reader.DexFileReader;
import com.googlecode.d2j.visitors.DexFileVisitor;
import java.util.AbstractList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Some classes of an app's dex files. The translator keeps the code of all classes that it is given in memory: it is
 * given a few at a time.
 */
final class Portion implements BaseDexFileReader {
  private final BaseDexFileReader whole;
  private final List<Integer> indices;
  private final Consumer<DexFileNode> afterwards;

  Portion(BaseDexFileReader whole, List<Integer> indices) {
    this(whole, indices, read -> {});
  }

  private Portion(BaseDexFileReader whole, List<Integer> indices, Consumer<DexFileNode> afterwards) {
    this.whole = whole;
    this.indices = indices;
    this.afterwards = afterwards;
  }

  /** The same classes, which somebody changes after they were read and before they are translated. */
  Portion changed(Consumer<DexFileNode> change) {
    return new Portion(whole, indices, change);
  }

  /** Its classes with their code. */
  DexFileNode read() {
    DexFileNode read = new DexFileNode();
    accept(read, DexFileReader.SKIP_DEBUG | DexFileReader.IGNORE_READ_EXCEPTION);
    return read;
  }

  @Override
  public int getDexVersion() {
    return whole.getDexVersion();
  }

  @Override
  public void accept(DexFileVisitor visitor) {
    accept(visitor, 0);
  }

  @Override
  public List<String> getClassNames() {
    return new AbstractList<>() {
      @Override
      public String get(int index) {
        return whole.getClassNames().get(indices.get(index));
      }

      @Override
      public int size() {
        return indices.size();
      }
    };
  }

  @Override
  public void accept(DexFileVisitor visitor, int config) {
    visitor.visitDexFileVersion(getDexVersion());
    for (int i = 0; i < indices.size(); i++) {
      accept(visitor, i, config);
    }
    if (visitor instanceof DexFileNode read) {
      afterwards.accept(read);
    }
  }

  @Override
  public void accept(DexFileVisitor visitor, int index, int config) {
    whole.accept(visitor, indices.get(index), config);
  }
}
