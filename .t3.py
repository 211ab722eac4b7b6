exec(open('/tmp/w-time/.try.py').read())
p=P()
def fresh(): p.ask('clear'); p.ask('start',activity='org.droidmux.trial.SystemActivity')
tm=lambda: p.ask('focus')['time']
fresh(); p.tap('Alarm'); p.tap('Alarm here'); p.tap('Job'); b=tm(); p.ask('pass',ms=86400000); print('%.2f'%p.took, p.status(), tm()-b,flush=True)
p.tap('Alarm often'); p.ask('pass',ms=3600000); print('%.2f'%p.took,len(p.status().split()),p.status()[:50],flush=True)
fresh(); print(tm()-b)
p.h.close()
