package org.droidmux.framework.device;

import android.security.keystore.KeyGenParameterSpec;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Makes secret keys in the phone's key store, by the name and the size that an app asks for. */
public abstract class PhoneKeyMaker extends KeyGeneratorSpi {
  private final String kind;
  private final int usual;
  private KeyGenParameterSpec asked;
  private SecureRandom random;

  PhoneKeyMaker(String kind, int usual) {
    this.kind = kind;
    this.usual = usual;
  }

  @Override
  protected final void engineInit(SecureRandom source) {
    throw new UnsupportedOperationException("Cannot initialize without a KeyGenParameterSpec parameter");
  }

  @Override
  protected final void engineInit(int size, SecureRandom source) {
    engineInit(source);
  }

  @Override
  protected final void engineInit(AlgorithmParameterSpec given, SecureRandom source)
      throws InvalidAlgorithmParameterException {
    if (!(given instanceof KeyGenParameterSpec spec)) {
      throw new InvalidAlgorithmParameterException(
          "Cannot initialize without a KeyGenParameterSpec parameter: " + given);
    }
    requireNoLock(spec);
    int size = spec.getKeySize();
    boolean fits = size == -1 || (kind.equals("AES") ? size == 128 || size == 192 || size == 256 : size % 8 == 0 && size >= 64);
    if (!fits) {
      throw new InvalidAlgorithmParameterException("Unsupported key size: " + size);
    }
    asked = spec;
    random = source == null ? new SecureRandom() : source;
  }

  /** The phone has no lock, and keys that want one cannot be made. */
  static void requireNoLock(KeyGenParameterSpec spec) throws InvalidAlgorithmParameterException {
    if (spec.isUserAuthenticationRequired()) {
      throw new InvalidAlgorithmParameterException(
          new IllegalStateException(
              "Secure lock screen must be enabled to create keys requiring user authentication"));
    }
  }

  @Override
  protected final SecretKey engineGenerateKey() {
    if (asked == null) {
      throw new IllegalStateException("Not initialized");
    }
    byte[] secret = new byte[(asked.getKeySize() == -1 ? usual : asked.getKeySize()) / 8];
    random.nextBytes(secret);
    SecretKey key = new SecretKeySpec(secret, kind);
    PhoneKeyStore.keep(asked.getKeystoreAlias(), new KeyStore.SecretKeyEntry(key));
    return key;
  }

  /** The JDK makes one of these by its name. */
  public static final class Aes extends PhoneKeyMaker {
    public Aes() {
      super("AES", 128);
    }
  }

  /** The same. */
  public static final class HmacSHA1 extends PhoneKeyMaker {
    public HmacSHA1() {
      super("HmacSHA1", 160);
    }
  }

  /** The same. */
  public static final class HmacSHA224 extends PhoneKeyMaker {
    public HmacSHA224() {
      super("HmacSHA224", 224);
    }
  }

  /** The same. */
  public static final class HmacSHA256 extends PhoneKeyMaker {
    public HmacSHA256() {
      super("HmacSHA256", 256);
    }
  }

  /** The same. */
  public static final class HmacSHA384 extends PhoneKeyMaker {
    public HmacSHA384() {
      super("HmacSHA384", 384);
    }
  }

  /** The same. */
  public static final class HmacSHA512 extends PhoneKeyMaker {
    public HmacSHA512() {
      super("HmacSHA512", 512);
    }
  }
}
