package org.droidmux.victim;

import android.content.ContentValues;
import android.content.Intent;
import android.content.SharedPreferences;
import android.database.Cursor;
import android.os.Bundle;
import android.view.View;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A class of an app's with a place for each operator: what its methods say tells whether the right thing was done. */
public final class Victim implements Comparator<Integer> {
  private final StringBuilder said = new StringBuilder();
  private boolean open = true;
  private int count;

  private String said() {
    return said.toString();
  }

  // What listeners and the like would do.

  public void onClick(View view) {
    count = 3;
    said.append("clicked");
  }

  public void onActivityResult(int request, int result, Intent data) {
    said.append("result ").append(request);
  }

  public void notifyDataSetChanged() {
    said.append("told");
  }

  public boolean requery() {
    said.append("asked");
    return true;
  }

  public void setVisibility(int visibility) {
    said.append(visibility);
  }

  public void setText(int text) {
    said.append(Integer.toHexString(text));
  }

  private void putBack() {
    said.append("back");
  }

  @Override
  public int compare(Integer one, Integer other) {
    return one - other;
  }

  // What is run, each with what it says.

  public String listener() {
    onClick(null);
    return said();
  }

  public String result() {
    onActivityResult(7, 0, null);
    return said();
  }

  public String changed() {
    notifyDataSetChanged();
    return said();
  }

  public String again() {
    requery();
    return said();
  }

  public String shown() {
    setVisibility(0);
    return said();
  }

  public String label() {
    setText(0x7f030001);
    return said();
  }

  public String otherLabel() {
    setText(0x7f030002);
    return said();
  }

  public String undo() {
    putBack();
    return said();
  }

  public String item() {
    List<String> items = new ArrayList<>(List.of("first", "second"));
    return items.get(0);
  }

  public String onlyItem() {
    List<String> items = new ArrayList<>(List.of("only"));
    return items.get(0);
  }

  public String condition() {
    String what = "shut";
    if (open) {
      what = "open";
    }
    return what;
  }

  public String comparison() {
    String what = "few";
    if (said.length() + 3 > count) {
      what = "many";
    }
    return what;
  }

  public String counter() {
    count++;
    return "count " + count;
  }

  public String order() {
    List<Integer> numbers = new ArrayList<>(List.of(2, 1, 3));
    numbers.sort(this);
    return numbers.toString();
  }

  public String query() {
    return "SELECT name FROM notes ORDER BY name ASC";
  }

  public String search() {
    return "found " + "a shopping list".contains("list");
  }

  public String searchInCapitals() {
    return "LIST".toLowerCase();
  }

  public String write() throws IOException {
    Writer writer = new StringWriter();
    writer.write("kept");
    return writer.toString();
  }

  // What only a phone can run.

  public void onSaveInstanceState(Bundle state) {
    state.putInt("count", count);
  }

  public void onCreate(Bundle state) {
    count = state.getInt("count");
  }

  public void extras(Intent intent) {
    intent.putExtra("name", "a").putExtra("title", "b");
    said.append(intent.getStringExtra("from"));
  }

  public void columns(ContentValues values, Cursor cursor) {
    values.put("name", "a");
    values.put("title", "b");
    said.append(cursor.getColumnIndex("id"));
  }

  public void preferences(SharedPreferences preferences) {
    preferences.edit().putBoolean("dark", true).putBoolean("large", false).apply();
  }

  public int getAdapterPosition() {
    return count;
  }

  public int position() {
    return getAdapterPosition();
  }
}
