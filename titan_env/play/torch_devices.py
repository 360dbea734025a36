"""The devices that play the games of tensors, by their names in torch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from titan_env.contract import Game
from titan_env.contract.options import brief
from titan_env.engine.devices import Device, HostDevice, KernelDevice
from titan_env.extras import extra

with extra("training"):
    import torch


def device_of(game: Game, device: str | torch.device | Device, threads: int = 1) -> Device:
    """Return the device of a name, which runs the loops of a game; a `Device` is returned as it is.

    The processor runs them on so many `threads`. Raises TypeError for what is neither a name nor a device, ValueError
    for an unknown name, RuntimeError where there is no GPU.
    """
    if not isinstance(device, str | torch.device):
        if not callable(getattr(device, "run", None)):
            raise TypeError(f'expected device to be "cpu", "cuda" or "cuda:1", got {brief(device)}')
        return device
    try:
        wanted = torch.device(device)
    except RuntimeError:
        wanted = torch.device("meta")
    if wanted.type == "cpu":
        return HostDevice(game, threads)
    if wanted.type != "cuda":
        raise ValueError(f'expected device to be "cpu", "cuda" or "cuda:1", got {brief(str(device))}')
    return _gpu(game, wanted)


def _gpu(game: Game, wanted: torch.device) -> Device:
    """Return a GPU. Raises RuntimeError in one line where torch, the driver or the GPU is not there."""
    from titan_env.compiler.cuda_driver import CudaDriver

    if torch.version.cuda is None:
        raise RuntimeError(
            "expected a CUDA build of torch, got one without; see https://pytorch.org/get-started, or use device='cpu'"
        )
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    index = wanted.index or 0
    if index >= count:
        raise RuntimeError(f"expected a GPU of NVIDIA with its driver as {wanted}, found {count}; use device='cpu'")
    torch.zeros(1, device=f"cuda:{index}")  # makes the context in which the driver loads kernels

    @contextmanager
    def current() -> Iterator[int]:
        with torch.cuda.device(index):
            yield torch.cuda.current_stream().cuda_stream

    capability = torch.cuda.get_device_capability(index)
    return KernelDevice(game, f"cuda:{index}", CudaDriver(capability, current))
