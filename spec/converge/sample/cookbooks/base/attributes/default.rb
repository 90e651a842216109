default['sample']['root'] = 'out'
default['motd']['text'] = 'This machine is managed.'
