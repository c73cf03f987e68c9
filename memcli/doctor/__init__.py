"""`mem doctor`: looks at everything and names a repair for whatever is wrong. It mends nothing but the cache, when told to."""

from memcli.doctor.checks import examine, rebuild
from memcli.doctor.finding import Finding

__all__ = ["Finding", "examine", "rebuild"]
