"""Our seal's keys and certificates, who states the time, and the list of withdrawn seals."""
