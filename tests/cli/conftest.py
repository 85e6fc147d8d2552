from support.models import cache, small

__all__ = ["cache", "small"]
