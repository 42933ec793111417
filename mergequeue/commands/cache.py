"""The way of a hook to the runner's cache, where `--remote-cache-read` asks for one."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace

from mergequeue.cache.proxy import lookup_proxy
from mergequeue.cache.service import Service, service_of
from mergequeue.commands.tools import Standing


def cache_service(*, wanted: bool) -> Service | None:
    """Return the runner's cache service where it is wanted; raise NO_CACHE where there is none."""
    return service_of(os.environ) if wanted else None


@contextlib.contextmanager
def cache_given(standing: Standing, service: Service | None) -> Iterator[Standing]:
    """Give the hooks that are started while the block runs a proxy that only looks things up."""
    if service is None:
        yield standing
        return
    with lookup_proxy(service) as proxy:
        yield replace(standing, given=proxy.variables, ports=(proxy.port,))
