package org.droidmux.framework.device;

import android.security.KeyPairGeneratorSpec;
import android.security.keystore.KeyGenParameterSpec;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.KeyStore;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Date;
import java.util.function.IntFunction;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.x509.X509V3CertificateGenerator;

/**
 * Makes pairs of keys in the phone's key store, each with a certificate that it has signed itself, as apps ask for them by
 * the present class or by that of before Android 6.
 */
public final class PhoneKeyPairMaker extends KeyPairGeneratorSpi {
  /** What both classes say of a pair. */
  private record Asked(
      String alias, int size, AlgorithmParameterSpec curve, X500Principal subject, BigInteger serial, Date from, Date to) {}

  private final String kind;
  private final int usual;
  private final IntFunction<AlgorithmParameterSpec> parameters;
  private Asked asked;
  private SecureRandom random;

  private PhoneKeyPairMaker(String kind, int usual, IntFunction<AlgorithmParameterSpec> parameters) {
    this.kind = kind;
    this.usual = usual;
    this.parameters = parameters;
  }

  static PhoneKeyPairMaker rsa() {
    return new PhoneKeyPairMaker("RSA", 2048, size -> new RSAKeyGenParameterSpec(size, RSAKeyGenParameterSpec.F4));
  }

  static PhoneKeyPairMaker ec() {
    return new PhoneKeyPairMaker("EC", 256, size -> new ECGenParameterSpec("secp" + size + "r1"));
  }

  @Override
  public void initialize(int size, SecureRandom source) {
    throw new IllegalArgumentException("AndroidKeyStore needs a KeyGenParameterSpec or a KeyPairGeneratorSpec");
  }

  @Override
  public void initialize(AlgorithmParameterSpec given, SecureRandom source)
      throws InvalidAlgorithmParameterException {
    if (given instanceof KeyGenParameterSpec spec) {
      PhoneKeyMaker.requireNoLock(spec);
      asked =
          new Asked(
              spec.getKeystoreAlias(), spec.getKeySize(), spec.getAlgorithmParameterSpec(), spec.getCertificateSubject(),
              spec.getCertificateSerialNumber(), spec.getCertificateNotBefore(), spec.getCertificateNotAfter());
    } else if (given instanceof KeyPairGeneratorSpec spec) {
      asked =
          new Asked(
              spec.getKeystoreAlias(), spec.getKeySize(), spec.getAlgorithmParameterSpec(), spec.getSubjectDN(),
              spec.getSerialNumber(), spec.getStartDate(), spec.getEndDate());
    } else {
      throw new InvalidAlgorithmParameterException("AndroidKeyStore needs a KeyGenParameterSpec, not " + given);
    }
    random = source == null ? new SecureRandom() : source;
  }

  @Override
  public KeyPair generateKeyPair() {
    if (asked == null) {
      throw new IllegalStateException("Not initialized");
    }
    try {
      int size = asked.size() <= 0 ? usual : asked.size();
      KeyPairGenerator maker = KeyPairGenerator.getInstance(kind);
      maker.initialize(asked.curve() == null ? parameters.apply(size) : asked.curve(), random);
      KeyPair pair = maker.generateKeyPair();
      PhoneKeyStore.keep(
          asked.alias(), new KeyStore.PrivateKeyEntry(pair.getPrivate(), new Certificate[] {certificate(pair)}));
      return pair;
    } catch (GeneralSecurityException e) {
      throw new ProviderException("Failed to generate key pair.", e);
    }
  }

  @SuppressWarnings("deprecation")
  private Certificate certificate(KeyPair pair) throws GeneralSecurityException {
    X509V3CertificateGenerator maker = new X509V3CertificateGenerator();
    maker.setSubjectDN(asked.subject());
    maker.setIssuerDN(asked.subject());
    maker.setSerialNumber(asked.serial());
    maker.setNotBefore(asked.from());
    maker.setNotAfter(asked.to());
    maker.setPublicKey(pair.getPublic());
    maker.setSignatureAlgorithm(kind.equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA");
    return maker.generate(pair.getPrivate());
  }
}
