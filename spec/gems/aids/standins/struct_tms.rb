# The old name of Process::Tms.
Process.times; Struct::Tms = Process::Tms unless defined?(Struct::Tms)
