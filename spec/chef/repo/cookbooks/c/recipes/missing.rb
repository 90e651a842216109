file "@ROOT@/t/z" do
  notifies :run, "execute[nope]"
end
