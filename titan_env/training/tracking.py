"""`--track` of the trainers: what TensorBoard gets goes to Weights & Biases too, as in CleanRL.

Without it nothing is imported or sent. ``WANDB_MODE=offline`` keeps the run in the folder ``wandb`` of --out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from titan_env.cli.console import user_errors
from titan_env.extras import extra, needs


@dataclass(frozen=True)
class Tracking:
    """The options of tracking, which trainers have beside their own."""

    track: bool = False
    """Log to Weights & Biases too, besides TensorBoard (extra track)."""
    wandb_project_name: str = "titan_env"
    """Project of Weights & Biases."""
    wandb_entity: str = ""
    """Team of Weights & Biases; none: that of the account."""

    def check(self) -> None:
        """Raise MissingExtra if what is asked for is not installed."""
        if self.track:
            needs("track", "wandb")

    @contextmanager
    def tracked(self, config: Any, out: Path) -> Iterator[None]:
        """Send all that is logged for TensorBoard within this context to a run named as the folder.

        Where Weights & Biases refuses it one line says so.
        """
        if not self.track:
            yield
            return
        with extra("track"):
            import wandb
        with user_errors((ValueError, OSError, wandb.errors.Error), "set WANDB_MODE=offline, or leave --track out"):
            run = wandb.init(
                project=self.wandb_project_name,
                entity=self.wandb_entity or None,
                config=asdict(config),
                name=out.name,
                dir=out,
                sync_tensorboard=True,
            )
        try:
            yield
        finally:
            run.finish()
