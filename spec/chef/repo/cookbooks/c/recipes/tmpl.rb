template "@ROOT@/t/tt" do
  source "bad.erb"
end
