file '@ROOT@/t/foo'
execute 'true' do
  only_if { File.exist?('@ROOT@/t/foo') }
end
