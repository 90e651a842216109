# ok
eval("1" + "0" * 300_000); nil
