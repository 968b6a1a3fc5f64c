"""Redis as far as the service knows it, in virtual time, with replication and its failures."""
