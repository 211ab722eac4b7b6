package org.droidmux.framework.device;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Which SQL asks for the phone's time, and which stays as it is. */
public class SqlTimeTest {
  private static final String STAMP = "(strftime('%Y-%m-%d %H:%M:%S',droidmux_now('')))";

  /** A statement, and what becomes of it; nothing where it stays. */
  private static final String[][] CASES = {
    {"SELECT CURRENT_TIMESTAMP", "SELECT " + STAMP},
    {"CREATE TABLE a (t TEXT DEFAULT current_timestamp)", "CREATE TABLE a (t TEXT DEFAULT " + STAMP + ")"},
    {"SELECT CURRENT_DATE, CURRENT_TIME",
        "SELECT (strftime('%Y-%m-%d',droidmux_now(''))), (strftime('%H:%M:%S',droidmux_now('')))"},
    {"SELECT datetime('now')", "SELECT datetime(droidmux_now(''))"},
    {"SELECT datetime( 'NOW' , '-1 day')", "SELECT datetime(droidmux_now(''), '-1 day')"},
    {"SELECT strftime('%s','now') * 1000", "SELECT strftime('%s',droidmux_now('')) * 1000"},
    {"SELECT strftime('%s', 'now', 'localtime')", "SELECT strftime('%s',droidmux_now(''), 'localtime')"},
    {"SELECT date (), strftime('%Y')", "SELECT date (droidmux_now('')), strftime('%Y',droidmux_now(''))"},
    {"SELECT julianday('now') - julianday(t) FROM a",
        "SELECT julianday(droidmux_now('')) - julianday(t) FROM a"},
    {"SELECT datetime(max(t, datetime('now'))) FROM a", "SELECT datetime(max(t, datetime(droidmux_now('')))) FROM a"},
    {"INSERT INTO a VALUES ('now', 'CURRENT_TIMESTAMP', 'datetime(''now'')')", null},
    {"SELECT \"current_date\", `current_time`, [current_timestamp], a.current_date FROM a", null},
    {"SELECT 1 -- CURRENT_DATE\n/* datetime('now') */", null},
    {"SELECT date, time FROM a WHERE date = 'now'", null},
    {"SELECT datetime(t), strftime('%Y', t), date(?) FROM a", null},
    {"SELECT my_datetime('now'), update_time('now')", null},
    {"SELECT datetime('now", null},
    {"SELECT 'it''s date', 'open", null},
    {"", null},
  };

  @Test
  public void whatAsksForTheTimeAsksThePhone() {
    for (String[] row : CASES) {
      assertEquals(row[1] == null ? row[0] : row[1], SqlTime.of(row[0]));
    }
  }
}
