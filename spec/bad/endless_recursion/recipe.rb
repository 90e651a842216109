def again(n)
  again(n + 1)
end

again(0)
