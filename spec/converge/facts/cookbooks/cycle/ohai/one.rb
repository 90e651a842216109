Ohai.plugin(:One) do
  provides 'one'
  depends 'two'
  collect_data { one 1 }
end
