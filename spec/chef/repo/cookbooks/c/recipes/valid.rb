file "@ROOT@/t/tt" do
  mode 99999
end
