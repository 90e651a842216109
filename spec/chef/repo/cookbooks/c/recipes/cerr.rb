# a
# b
file "@ROOT@/t/z" do
  contnet "typo"
end
