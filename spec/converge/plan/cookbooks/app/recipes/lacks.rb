# nothing has brought this program, so the run fails at it
execute 'no-such-program-of-rchef --all'
