# Colours of the gem minitest-rg: none here.
