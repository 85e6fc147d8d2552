from support.models import cache, hub, index, small, tiny

__all__ = ["cache", "hub", "index", "small", "tiny"]
