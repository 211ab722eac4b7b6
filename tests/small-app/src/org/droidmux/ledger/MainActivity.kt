package org.droidmux.ledger

import android.content.ComponentName
import android.content.Context
import android.content.Intent
import android.content.ServiceConnection
import android.os.Bundle
import android.os.IBinder
import android.view.Menu
import android.view.MenuItem
import androidx.appcompat.app.AppCompatActivity
import com.google.android.material.appbar.MaterialToolbar
import com.google.android.material.dialog.MaterialAlertDialogBuilder

/** One activity, whose pages are fragments. */
class MainActivity : AppCompatActivity() {
    private var totals: TotalService.Totals? = null

    private val connection = object : ServiceConnection {
        override fun onServiceConnected(name: ComponentName, binder: IBinder) {
            totals = binder as TotalService.Totals
        }

        override fun onServiceDisconnected(name: ComponentName) {
            totals = null
        }
    }

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        setContentView(R.layout.main)
        setSupportActionBar(findViewById<MaterialToolbar>(R.id.toolbar))
        if (state == null) {
            supportFragmentManager.beginTransaction().replace(R.id.content, ListFragment()).commit()
        }
        bindService(Intent(this, TotalService::class.java), connection, Context.BIND_AUTO_CREATE)
    }

    override fun onDestroy() {
        unbindService(connection)
        super.onDestroy()
    }

    override fun onCreateOptionsMenu(menu: Menu): Boolean {
        menuInflater.inflate(R.menu.main, menu)
        return true
    }

    override fun onOptionsItemSelected(item: MenuItem): Boolean {
        if (item.itemId != R.id.total) return super.onOptionsItemSelected(item)
        totals?.count { sum ->
            MaterialAlertDialogBuilder(this)
                .setTitle(R.string.total)
                .setMessage(sum.toString())
                .setPositiveButton(android.R.string.ok, null)
                .show()
        }
        return true
    }
}
