from hypothesis import HealthCheck, settings

# Timings of a loaded machine are no faults of what is tested.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
