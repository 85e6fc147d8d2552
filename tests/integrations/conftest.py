from support.models import small

__all__ = ["small"]
