import pytest
from support.models import cache, small

pytest.importorskip("openvino", reason="needs the extra lm: pip install '.[lm]'")
pytest.importorskip("safetensors", reason="needs the extra lm: pip install '.[lm]'")

from support.lm import tiny_trunk

__all__ = ["cache", "small", "tiny_trunk"]
