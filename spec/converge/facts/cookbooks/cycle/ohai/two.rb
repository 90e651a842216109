Ohai.plugin(:Two) do
  provides 'two'
  depends 'one'
  collect_data { two 2 }
end
