# The numbers of fcntl(2) and open(2) on Linux.
module Fcntl
  VERSION = "1.0.1"
  F_DUPFD = 0
  F_GETFD = 1
  F_SETFD = 2
  F_GETFL = 3
  F_SETFL = 4
  F_GETLK = 5
  F_SETLK = 6
  F_SETLKW = 7
  F_DUPFD_CLOEXEC = 1030
  F_SETPIPE_SZ = 1031
  F_GETPIPE_SZ = 1032
  FD_CLOEXEC = 1
  F_RDLCK = 0
  F_WRLCK = 1
  F_UNLCK = 2
  O_RDONLY = File::RDONLY
  O_WRONLY = File::WRONLY
  O_RDWR = File::RDWR
  O_ACCMODE = 3
  O_CREAT = File::CREAT
  O_EXCL = File::EXCL
  O_NOCTTY = File::NOCTTY
  O_TRUNC = File::TRUNC
  O_APPEND = File::APPEND
  O_NONBLOCK = File::NONBLOCK
  O_NDELAY = File::NONBLOCK
end
