# Other sets of gems are not tried here.
