Ohai.plugin(:Opt) do
  provides 'opt'
  optional true
  collect_data(:default) { opt 1 }
end
