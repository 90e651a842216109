# a stand-in
module EventMachine; end
EM = EventMachine
