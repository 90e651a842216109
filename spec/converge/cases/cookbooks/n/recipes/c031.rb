file '@ROOT@/t/a' do
  guard_interpreter :bash
  only_if { true }
end
