# A client for a database that the suite does not ask.
