"""What clients notice when what ACR leans on is killed, paused or full: real servers, under load.

`python -m acr_benchmarks.reliability views` and so on; the figures are in docs/reliability.md.
"""
