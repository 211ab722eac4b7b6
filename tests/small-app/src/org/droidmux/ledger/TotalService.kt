package org.droidmux.ledger

import android.app.Service
import android.content.Intent
import android.os.Binder
import android.os.Handler
import android.os.IBinder
import android.os.Looper
import java.util.concurrent.Executors

/** Adds up, on a thread of its own. */
class TotalService : Service() {
    private val worker = Executors.newSingleThreadExecutor()
    private val main = Handler(Looper.getMainLooper())

    inner class Totals : Binder() {
        /** The sum of all amounts, told on the main thread. */
        fun count(told: (Long) -> Unit) {
            worker.execute {
                val sum = Entries(this@TotalService).use { it.all().sumOf(Entry::amount) }
                main.post { told(sum) }
            }
        }
    }

    override fun onBind(intent: Intent): IBinder = Totals()

    override fun onDestroy() {
        worker.shutdown()
        super.onDestroy()
    }
}
