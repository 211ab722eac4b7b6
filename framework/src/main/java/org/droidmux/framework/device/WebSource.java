package org.droidmux.framework.device;

import android.content.ContentResolver;
import android.content.Context;
import android.net.Uri;
import android.util.Base64;
import android.webkit.WebResourceResponse;
import android.webkit.WebViewClient;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What lies at an address: in an app's assets, resources and files, with a provider, within the address itself, or in the
 * network, where the host has one. Called off the main thread.
 */
final class WebSource {
  private static final int LONGEST = 4 << 20;
  private static final int PATIENCE_MILLIS = 5_000;
  private static final String ASSETS = "/android_asset/";
  private static final String RESOURCES = "/android_res/";

  private WebSource() {}

  /** A text and its type. */
  record Content(String text, String type) {}

  /** Why there is none, in the numbers of {@link WebViewClient}. */
  static final class Missing extends Exception {
    private static final long serialVersionUID = 1;

    final int code;

    Missing(int code, String words) {
      super(words);
      this.code = code;
    }
  }

  static Content read(Context context, String address, Map<String, String> headers) throws Missing {
    Uri uri = Uri.parse(address);
    String scheme = String.valueOf(uri.getScheme());
    try {
      return switch (scheme) {
        case "about" -> new Content("", "text/html");
        case "data" -> data(address);
        case "file" -> text(file(context, String.valueOf(uri.getPath())), typeOf(address), null);
        case ContentResolver.SCHEME_CONTENT -> {
          String type = context.getContentResolver().getType(uri);
          yield text(context.getContentResolver().openInputStream(uri), type == null ? typeOf(address) : type, null);
        }
        case "http", "https" -> network(address, headers);
        default -> throw new Missing(WebViewClient.ERROR_UNSUPPORTED_SCHEME, "net::ERR_UNKNOWN_URL_SCHEME");
      };
    } catch (FileNotFoundException | SecurityException e) {
      throw new Missing(WebViewClient.ERROR_FILE_NOT_FOUND, "net::ERR_FILE_NOT_FOUND");
    } catch (UnknownHostException e) {
      throw new Missing(WebViewClient.ERROR_HOST_LOOKUP, "net::ERR_NAME_NOT_RESOLVED");
    } catch (IOException | RuntimeException e) {
      throw new Missing(WebViewClient.ERROR_CONNECT, "net::ERR_CONNECTION_REFUSED");
    }
  }

  /** What the app itself gives for an address. */
  static Content given(WebResourceResponse response) {
    try {
      String type = response.getMimeType() == null ? "text/html" : response.getMimeType();
      return text(response.getData(), type, response.getEncoding());
    } catch (IOException e) {
      return new Content("", "text/html");
    }
  }

  private static InputStream file(Context context, String path) throws IOException {
    if (path.startsWith(ASSETS)) {
      return context.getAssets().open(path.substring(ASSETS.length()));
    }
    if (path.startsWith(RESOURCES)) {
      String[] names = path.substring(RESOURCES.length()).replaceFirst("\\.[^.]*$", "").split("/", 2);
      int id = names.length < 2 ? 0 : context.getResources().getIdentifier(names[1], names[0], context.getPackageName());
      if (id == 0) {
        throw new FileNotFoundException(path);
      }
      return context.getResources().openRawResource(id);
    }
    return new FileInputStream(path);
  }

  private static Content data(String address) {
    int comma = address.indexOf(',');
    String head = comma < 0 ? "" : address.substring("data:".length(), comma);
    String body = address.substring(comma + 1);
    String type = head.isEmpty() ? "text/plain" : head.split(";")[0];
    if (head.endsWith(";base64")) {
      return new Content(new String(Base64.decode(Uri.decode(body), Base64.DEFAULT), StandardCharsets.UTF_8), type);
    }
    return new Content(Uri.decode(body), type);
  }

  private static Content network(String address, Map<String, String> headers) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(address).openConnection();
    connection.setConnectTimeout(PATIENCE_MILLIS);
    connection.setReadTimeout(PATIENCE_MILLIS);
    headers.forEach(connection::setRequestProperty);
    try {
      InputStream in = connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream();
      String type = connection.getContentType() == null ? "text/html" : connection.getContentType();
      int charset = type.indexOf("charset=");
      String encoding = charset < 0 ? null : type.substring(charset + "charset=".length()).replace("\"", "").trim();
      return in == null ? new Content("", "text/html") : text(in, type.split(";")[0].trim(), encoding);
    } finally {
      connection.disconnect();
    }
  }

  private static Content text(InputStream in, String type, String encoding) throws IOException {
    if (in == null) {
      throw new FileNotFoundException("nothing to read");
    }
    try (in) {
      Charset charset;
      try {
        charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
      } catch (IllegalArgumentException e) {
        charset = StandardCharsets.UTF_8;
      }
      return new Content(new String(in.readNBytes(LONGEST), charset), type);
    }
  }

  private static String typeOf(String address) {
    String path = address.replaceFirst("[?#].*$", "");
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.contains(".") && !name.endsWith(".htm") && !name.endsWith(".xhtml") ? Documents.type(name) : "text/html";
  }
}
