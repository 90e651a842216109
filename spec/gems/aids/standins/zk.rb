# A client for ZooKeeper, whose methods the examples replace.
