package org.droidmux.trial;

import android.os.Bundle;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.util.Base64;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Collections;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** Keeps a secret as libraries do: a key of the phone's key store, and beside it what that key has encrypted. */
public final class KeysActivity extends ButtonPage {
  private interface Deed {
    Object tried() throws Exception;
  }

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    deed("Encrypt", this::encrypt);
    deed("Decrypt", this::decrypt);
    deed("Sign", KeysActivity::sign);
    deed("Locked", () -> key(true));
    deed("Names", () -> Collections.list(store().aliases()));
    showContent();
  }

  private void deed(String name, Deed deed) {
    button(name, () -> {
      try {
        status.setText(name + ": " + deed.tried());
      } catch (Exception e) {
        status.setText(name + ": " + e.getClass().getSimpleName());
      }
    });
  }

  private static KeyStore store() throws Exception {
    KeyStore store = KeyStore.getInstance("AndroidKeyStore");
    store.load(null);
    return store;
  }

  private static SecretKey key(boolean locked) throws GeneralSecurityException {
    KeyGenerator maker = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, "AndroidKeyStore");
    maker.init(
        new KeyGenParameterSpec.Builder("secret", KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .setKeySize(256)
            .setUserAuthenticationRequired(locked)
            .build());
    return maker.generateKey();
  }

  private String encrypt() throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, key(false));
    byte[] secret = cipher.doFinal("it is a secret".getBytes(StandardCharsets.UTF_8));
    getPreferences(0).edit().putString("secret", Base64.encodeToString(secret, 0))
        .putString("start", Base64.encodeToString(cipher.getIV(), 0)).commit();
    return "done";
  }

  private String decrypt() throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    byte[] start = Base64.decode(getPreferences(0).getString("start", ""), 0);
    KeyStore.SecretKeyEntry entry = (KeyStore.SecretKeyEntry) store().getEntry("secret", null);
    cipher.init(Cipher.DECRYPT_MODE, entry.getSecretKey(), new GCMParameterSpec(128, start));
    return new String(cipher.doFinal(Base64.decode(getPreferences(0).getString("secret", ""), 0)), StandardCharsets.UTF_8);
  }

  private static boolean sign() throws Exception {
    KeyPairGenerator maker = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, "AndroidKeyStore");
    maker.initialize(
        new KeyGenParameterSpec.Builder("pair", KeyProperties.PURPOSE_SIGN).setDigests("SHA-256").build());
    maker.generateKeyPair();
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign((PrivateKey) store().getKey("pair", null));
    signature.update((byte) 1);
    byte[] signed = signature.sign();
    signature.initVerify(store().getCertificate("pair"));
    signature.update((byte) 1);
    return signature.verify(signed);
  }
}
