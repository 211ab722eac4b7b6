package org.droidmux.ledger

import android.os.Bundle
import android.view.LayoutInflater
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import androidx.fragment.app.Fragment
import androidx.recyclerview.widget.LinearLayoutManager
import androidx.recyclerview.widget.RecyclerView
import com.google.android.material.snackbar.Snackbar

/** All entries. A long press deletes one, which can be undone. */
class ListFragment : Fragment(R.layout.list) {
    private lateinit var entries: Entries

    override fun onViewCreated(view: View, state: Bundle?) {
        entries = Entries(requireContext())
        view.findViewById<RecyclerView>(R.id.entries).layoutManager = LinearLayoutManager(requireContext())
        view.findViewById<View>(R.id.add).setOnClickListener {
            parentFragmentManager.beginTransaction()
                .replace(R.id.content, EntryFragment())
                .addToBackStack(null)
                .commit()
        }
        show()
    }

    override fun onDestroyView() {
        entries.close()
        super.onDestroyView()
    }

    private fun show() {
        val view = view ?: return
        val all = entries.all()
        view.findViewById<RecyclerView>(R.id.entries).adapter = Rows(all, ::delete)
        view.findViewById<View>(R.id.empty).visibility = if (all.isEmpty()) View.VISIBLE else View.GONE
    }

    private fun delete(entry: Entry) {
        entries.delete(entry)
        show()
        Snackbar.make(requireView(), entry.title, Snackbar.LENGTH_LONG)
            .setAction(R.string.undo) {
                entries.write(entry)
                show()
            }
            .show()
    }

    private class Row(view: View) : RecyclerView.ViewHolder(view)

    private class Rows(val all: List<Entry>, val delete: (Entry) -> Unit) : RecyclerView.Adapter<Row>() {
        override fun onCreateViewHolder(parent: ViewGroup, type: Int) =
            Row(LayoutInflater.from(parent.context).inflate(R.layout.row, parent, false))

        override fun getItemCount() = all.size

        override fun onBindViewHolder(row: Row, position: Int) {
            val entry = all[position]
            row.itemView.findViewById<TextView>(R.id.row_title).text =
                listOfNotNull(entry.title, entry.attached).joinToString(" + ")
            row.itemView.findViewById<TextView>(R.id.row_amount).text = entry.amount.toString()
            row.itemView.setOnLongClickListener { delete(entry).let { true } }
        }
    }
}
