template "@ROOT@/t/tt" do
  source "none.erb"
end
