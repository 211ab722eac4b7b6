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
public final class PhoneKeyMaker extends KeyGeneratorSpi {
  private final String kind;
  private final int usual;
  private KeyGenParameterSpec asked;
  private SecureRandom random;

  PhoneKeyMaker(String kind, int usual) {
    this.kind = kind;
    this.usual = usual;
  }

  @Override
  protected void engineInit(SecureRandom source) {
    throw new UnsupportedOperationException("Cannot initialize without a KeyGenParameterSpec parameter");
  }

  @Override
  protected void engineInit(int size, SecureRandom source) {
    engineInit(source);
  }

  @Override
  protected void engineInit(AlgorithmParameterSpec given, SecureRandom source)
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
  protected SecretKey engineGenerateKey() {
    if (asked == null) {
      throw new IllegalStateException("Not initialized");
    }
    byte[] secret = new byte[(asked.getKeySize() == -1 ? usual : asked.getKeySize()) / 8];
    random.nextBytes(secret);
    SecretKey key = new SecretKeySpec(secret, kind);
    PhoneKeyStore.keep(asked.getKeystoreAlias(), new KeyStore.SecretKeyEntry(key));
    return key;
  }
}
