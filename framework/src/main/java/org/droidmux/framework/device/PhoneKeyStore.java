package org.droidmux.framework.device;

import java.io.InputStream;
import java.io.OutputStream;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.KeyStoreSpi;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import javax.crypto.SecretKey;

/**
 * The key store of the phone, {@code AndroidKeyStore}: apps make keys in it by name, and find them in a later process. Here
 * they are keys like any others, in the host's memory; on a phone they never leave its hardware. They go with the app's data.
 */
public final class PhoneKeyStore extends KeyStoreSpi {
  /** What apps call it. */
  static final String NAME = "AndroidKeyStore";

  private record Kept(KeyStore.Entry entry, Date made) {}

  private static final Map<String, Kept> KEPT = new ConcurrentSkipListMap<>();

  /** Where the JDK finds this store, and who makes keys in it. */
  private static final class Keys extends Provider {
    private static final long serialVersionUID = 1L;

    Keys() {
      super(NAME, "1.0", "the phone's key store");
      offer("KeyStore", NAME, PhoneKeyStore::new);
      offer("KeyGenerator", "AES", () -> new PhoneKeyMaker("AES", 128));
      for (int bits : new int[] {160, 224, 256, 384, 512}) {
        String kind = "HmacSHA" + (bits == 160 ? 1 : bits);
        offer("KeyGenerator", kind, () -> new PhoneKeyMaker(kind, bits));
      }
      offer("KeyPairGenerator", "RSA", PhoneKeyPairMaker::rsa);
      offer("KeyPairGenerator", "EC", PhoneKeyPairMaker::ec);
    }

    private void offer(String kind, String algorithm, Supplier<Object> made) {
      putService(
          new Service(this, kind, algorithm, PhoneKeyStore.class.getName(), null, null) {
            @Override
            public Object newInstance(Object parameter) {
              return made.get();
            }
          });
    }
  }

  /** Once for a host. */
  static void offer() {
    if (Security.getProvider(NAME) == null) {
      Security.addProvider(new Keys());
    }
  }

  /** The app's data is cleared. */
  static void forget() {
    KEPT.clear();
  }

  static void keep(String alias, KeyStore.Entry entry) {
    KEPT.put(alias, new Kept(entry, new Date(AppClock.now())));
  }

  private static KeyStore.Entry entry(String alias) {
    Kept kept = alias == null ? null : KEPT.get(alias);
    return kept == null ? null : kept.entry();
  }

  @Override
  public KeyStore.Entry engineGetEntry(String alias, KeyStore.ProtectionParameter protection) {
    return entry(alias);
  }

  @Override
  public void engineSetEntry(String alias, KeyStore.Entry entry, KeyStore.ProtectionParameter protection)
      throws KeyStoreException {
    if (alias == null || entry == null) {
      throw new KeyStoreException("a key needs a name");
    }
    keep(alias, entry);
  }

  @Override
  public Key engineGetKey(String alias, char[] password) throws UnrecoverableKeyException {
    KeyStore.Entry entry = entry(alias);
    if (entry instanceof KeyStore.SecretKeyEntry secret) {
      return secret.getSecretKey();
    }
    return entry instanceof KeyStore.PrivateKeyEntry pair ? pair.getPrivateKey() : null;
  }

  @Override
  public Certificate[] engineGetCertificateChain(String alias) {
    return entry(alias) instanceof KeyStore.PrivateKeyEntry pair ? pair.getCertificateChain() : null;
  }

  @Override
  public Certificate engineGetCertificate(String alias) {
    KeyStore.Entry entry = entry(alias);
    if (entry instanceof KeyStore.TrustedCertificateEntry trusted) {
      return trusted.getTrustedCertificate();
    }
    return entry instanceof KeyStore.PrivateKeyEntry pair ? pair.getCertificate() : null;
  }

  @Override
  public Date engineGetCreationDate(String alias) {
    Kept kept = alias == null ? null : KEPT.get(alias);
    return kept == null ? null : kept.made();
  }

  @Override
  public void engineSetKeyEntry(String alias, Key key, char[] password, Certificate[] chain) throws KeyStoreException {
    if (password != null && password.length > 0) {
      throw new KeyStoreException("entries cannot be protected with passwords");
    }
    if (key instanceof SecretKey secret) {
      keep(alias, new KeyStore.SecretKeyEntry(secret));
    } else if (key instanceof PrivateKey own && chain != null && chain.length > 0) {
      keep(alias, new KeyStore.PrivateKeyEntry(own, chain));
    } else {
      throw new KeyStoreException("neither a secret key nor a private one with its certificate");
    }
  }

  @Override
  public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain) throws KeyStoreException {
    throw new KeyStoreException("Operation not supported because key encoding is unknown");
  }

  @Override
  public void engineSetCertificateEntry(String alias, Certificate certificate) {
    keep(alias, new KeyStore.TrustedCertificateEntry(certificate));
  }

  @Override
  public void engineDeleteEntry(String alias) {
    KEPT.remove(alias);
  }

  @Override
  public Enumeration<String> engineAliases() {
    return Collections.enumeration(KEPT.keySet());
  }

  @Override
  public boolean engineContainsAlias(String alias) {
    return entry(alias) != null;
  }

  @Override
  public int engineSize() {
    return KEPT.size();
  }

  @Override
  public boolean engineIsKeyEntry(String alias) {
    KeyStore.Entry entry = entry(alias);
    return entry != null && !(entry instanceof KeyStore.TrustedCertificateEntry);
  }

  @Override
  public boolean engineIsCertificateEntry(String alias) {
    return entry(alias) instanceof KeyStore.TrustedCertificateEntry;
  }

  @Override
  public String engineGetCertificateAlias(Certificate certificate) {
    return KEPT.keySet().stream()
        .filter(alias -> certificate != null && certificate.equals(engineGetCertificate(alias)))
        .findFirst()
        .orElse(null);
  }

  @Override
  public void engineStore(OutputStream stream, char[] password) {
    throw new UnsupportedOperationException("Can not serialize AndroidKeyStore to OutputStream");
  }

  @Override
  public void engineLoad(InputStream stream, char[] password) {
    if (stream != null) {
      throw new IllegalArgumentException("InputStream not supported");
    }
    if (password != null) {
      throw new IllegalArgumentException("password not supported");
    }
  }
}
