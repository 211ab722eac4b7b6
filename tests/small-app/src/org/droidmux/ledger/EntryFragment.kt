package org.droidmux.ledger

import android.net.Uri
import android.os.Bundle
import android.provider.OpenableColumns
import android.view.View
import androidx.activity.result.contract.ActivityResultContracts
import androidx.fragment.app.Fragment
import com.google.android.material.button.MaterialButton
import com.google.android.material.datepicker.MaterialDatePicker
import com.google.android.material.textfield.TextInputEditText
import com.google.android.material.textfield.TextInputLayout

/** A form for one entry: title, amount, day, a file. */
class EntryFragment : Fragment(R.layout.entry) {
    private var attached: String? = null
    private val picker = registerForActivityResult(ActivityResultContracts.GetContent(), ::attach)

    override fun onViewCreated(view: View, state: Bundle?) {
        attached = state?.getString(ATTACHED)
        named(attached)
        view.findViewById<View>(R.id.attach).setOnClickListener { picker.launch("*/*") }
        view.findViewById<View>(R.id.save).setOnClickListener { save() }
        view.findViewById<MaterialButton>(R.id.day).setOnClickListener { button ->
            val days = MaterialDatePicker.Builder.datePicker().build()
            days.addOnPositiveButtonClickListener { (button as MaterialButton).text = days.headerText }
            days.show(parentFragmentManager, null)
        }
    }

    override fun onSaveInstanceState(state: Bundle) {
        state.putString(ATTACHED, attached)
    }

    private fun attach(file: Uri?) {
        if (file == null) return
        val columns = arrayOf(OpenableColumns.DISPLAY_NAME)
        requireContext().contentResolver.query(file, columns, null, null, null)?.use { rows ->
            if (rows.moveToFirst()) attached = rows.getString(0)
        }
        named(attached)
    }

    private fun named(file: String?) {
        if (file != null) view?.findViewById<MaterialButton>(R.id.attach)?.text = file
    }

    private fun save() {
        val text = { id: Int -> requireView().findViewById<TextInputEditText>(id).text.toString().trim() }
        val title = text(R.id.title)
        if (title.isEmpty()) {
            requireView().findViewById<TextInputLayout>(R.id.title_box).error = getString(R.string.needs_title)
            return
        }
        val entry = Entry(0, title, text(R.id.amount).toLongOrNull() ?: 0, attached)
        Entries(requireContext()).use { it.write(entry) }
        parentFragmentManager.popBackStack()
    }

    private companion object {
        const val ATTACHED = "attached"
    }
}
