"""The proxy: takes requests, lets the engine look at them, and relays every byte that need not change."""

from acr.proxy.app import create_app
from acr.proxy.server import serve

__all__ = ["create_app", "serve"]
