Ohai.plugin(:Exec) do
  provides 'exec_test'
  collect_data(:default) do
    begin
      shell_out('/no/such/program')
    rescue Ohai::Exceptions::Exec
      exec_test "missing"
    end
  end
end
