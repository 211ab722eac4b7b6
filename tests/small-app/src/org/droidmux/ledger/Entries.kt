package org.droidmux.ledger

import android.content.ContentValues
import android.content.Context
import android.database.sqlite.SQLiteDatabase
import android.database.sqlite.SQLiteOpenHelper

/** What was written down: a title, an amount, and a file's name if one is attached. */
data class Entry(val id: Long, val title: String, val amount: Long, val attached: String?)

/** The entries on the disk, in the order in which they were written. */
class Entries(context: Context) : SQLiteOpenHelper(context, "ledger.db", null, 1) {
    override fun onCreate(database: SQLiteDatabase) {
        database.execSQL("CREATE TABLE entry (id INTEGER PRIMARY KEY, title TEXT, amount INTEGER, attached TEXT)")
    }

    override fun onUpgrade(database: SQLiteDatabase, from: Int, to: Int) = Unit

    fun all(): List<Entry> =
        readableDatabase.rawQuery("SELECT id, title, amount, attached FROM entry ORDER BY id", null).use { rows ->
            generateSequence { if (rows.moveToNext()) rows else null }
                .map { Entry(it.getLong(0), it.getString(1), it.getLong(2), it.getString(3)) }
                .toList()
        }

    /** Writes it down; with its number if it has one already. */
    fun write(entry: Entry) {
        val values = ContentValues().apply {
            if (entry.id != 0L) put("id", entry.id)
            put("title", entry.title)
            put("amount", entry.amount)
            put("attached", entry.attached)
        }
        writableDatabase.insertOrThrow("entry", null, values)
    }

    fun delete(entry: Entry) {
        writableDatabase.delete("entry", "id = ?", arrayOf(entry.id.toString()))
    }
}
