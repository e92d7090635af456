"""WebAssembly: the fourth way to run a rule, for browsers, and for whoever wants a stranger's rules in a sandbox."""
