exec(open('/tmp/w-time/.try.py').read())
p=P()
p.ask('clear'); p.ask('start',activity='org.droidmux.trial.PaceActivity')
for i in range(2):
    c=p.h.processor(); p.tap('Clocks'); print('%.2f cpu %.2f'%(p.took,p.h.processor()-c),p.status(),flush=True)
p.h.close()
