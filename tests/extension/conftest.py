collect_ignore = ["stranger"]  # its own tests run where it is installed
