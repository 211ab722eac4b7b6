exec(open('/tmp/w-time/.try.py').read())
p=P('target/trial2/app')
for i in range(3):
    p.ask('clear'); p.ask('start',activity='org.droidmux.trial.PaceActivity')
    p.tap('Interrupt'); print('%.2f'%p.took,p.status(),flush=True)
p.h.close()
