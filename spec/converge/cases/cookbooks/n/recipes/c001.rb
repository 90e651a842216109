file '@ROOT@/t/foo'
execute 'declared' do command 'true' end if File.exist?('@ROOT@/t/foo')
