"""N games as tensors of torch on a device: the rows of `Batch`, played by the same loops with the same seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import as_arrays
from titan_env.contract import CHOICE, MOST_SEATS, Game, scattered
from titan_env.engine.batch import Batch, Records, Snapshot, null_log
from titan_env.engine.batch_loops import (
    first_illegal,
    observe_rows,
    observe_rows_masked,
    payoff_rows,
    sample_rows,
    start_rows,
    step_rows,
)
from titan_env.engine.devices import Column, Device, column
from titan_env.engine.illegal_actions import illegal_action_error
from titan_env.engine.mask_sampling import seed_choices
from titan_env.engine.varied_options import VariedOptions
from titan_env.extras import extra
from titan_env.play.agent_calls import ask_agent

with extra("training"):
    import torch


class BatchTensors:
    """N games on a device, whose attributes are those of `Batch`, each a tensor (N, ...).

    `templates` (1,) or (N,) are configured states. Nothing here waits for the device but what returns arrays of NumPy.
    Raises MemoryError if the device has too little room.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        templates: Records,
        device: Device,
        *,
        whole: bool = False,
        varied: VariedOptions | None = None,
    ) -> None:
        self.game, self.num_games, self.device = game, num_games, device
        self.whole, self.varied = whole, varied
        try:
            self._allocate(templates)
        except RuntimeError as error:
            if "memory" not in str(error):
                raise
            raise MemoryError(
                f"expected room for {num_games} games on {device.name}, some {self._bytes() / 1e6:,.0f} MB, "
                "got less; make fewer"
            ) from None
        self.reseed_from(np.random.default_rng())

    @property
    def _counted(self) -> np.dtype[Any]:
        """The dtype of observations."""
        return np.dtype(self.game.rules.fields.dtype if self.whole else np.float32)

    def _bytes(self) -> int:
        """Return the bytes that all games take."""
        rules = self.game.rules
        records = rules.state.itemsize + rules.luck.itemsize
        return self.num_games * (records + len(rules.actions) + rules.fields.size * self._counted.itemsize)

    def _allocate(self, templates: Records) -> None:
        """Make all tensors."""
        rules = self.game.rules
        self.observations = self._zeros(self._counted, rules.fields.size)
        self.masks = self._zeros(np.int8, len(rules.actions))
        self.states, self.luck, self.choices = map(self._records, (rules.state, rules.luck, CHOICE))
        self.log = self._sent(null_log(self.game))
        self.templates = self._sent(templates)
        self.variant = self._zeros(np.int64)
        self._variants = self.templates if self.varied is None else self._sent(self.varied.templates)
        scales = rules.fields.scales[:0] if self.whole else rules.fields.scales
        self.scales = column(torch.tensor(scales, device=self.device.name))
        self.every_row = torch.ones(self.num_games, dtype=torch.bool, device=self.device.name)

    def _zeros(self, dtype: Any, *shape: int) -> torch.Tensor:
        """Return a tensor of zeros (N, ...)."""
        kind = getattr(torch, np.dtype(dtype).name)
        return torch.zeros((self.num_games, *shape), dtype=kind, device=self.device.name)

    def _layout(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """Return the dtype in which the device keeps records."""
        return self.device.layout(dtype)

    def _records(self, dtype: np.dtype[Any]) -> Column:
        """Return records of zeros (N,)."""
        layout = self._layout(dtype)
        return Column(self._zeros(np.uint8, layout.itemsize), layout)

    def _sent(self, records: Any) -> Column:
        """Return a copy of records on the device."""
        there = np.asarray(records.view(np.ndarray)).astype(self._layout(records.dtype))
        data = torch.from_numpy(there.view(np.uint8).reshape(len(there), -1).copy())
        return Column(data.to(self.device.name), there.dtype)

    def _received(self, data: torch.Tensor, dtype: np.dtype[Any]) -> Any:
        """Return records of the device on the host, a recarray."""
        lying = data.cpu().numpy().view(self._layout(dtype)).reshape(-1)
        return np.ascontiguousarray(lying.astype(dtype)).view(np.recarray)

    def reseed_from(self, rng: np.random.Generator) -> None:
        """Give each row new random streams, drawn from `rng`."""
        self._take_luck(scattered(rng, self.num_games, self.game.rules.luck), self.every_row)

    def _take_luck(self, luck: Records, rows: torch.Tensor) -> None:
        """Set the streams of chance of the rows (N,), and derive those of random choices from them."""
        choices = np.zeros(len(luck), CHOICE)
        seed_choices(choices, luck["stream"])
        for into, records in ((self.luck, luck), (self.choices, choices)):
            into.tensor.copy_(torch.where(rows[:, None], self._sent(records).tensor, into.tensor))

    def set_templates(self, templates: Records, rows: torch.Tensor) -> None:
        """Set the configured state (1,) with which the next games in these rows (N,) begin."""
        sent = self._sent(templates)
        if not bool(rows.all()):
            kept = self.templates.tensor.expand(self.num_games, -1)
            sent = Column(torch.where(rows[:, None], sent.tensor, kept).contiguous(), sent.dtype)
        self.templates = sent

    def _draw_options(self, rows: torch.Tensor) -> None:
        """Draw the options of the next game in each of the rows (N,), where they vary, by the rows' own streams."""
        if self.varied is None:
            return
        drawn = torch.zeros_like(self.variant)
        for count in self.varied.counts:
            values = rows.to(torch.int8)[:, None].repeat(1, count)  # a row without ones draws nothing
            drawn = drawn * count + self.sample(values).clamp(min=0)
        self.variant = torch.where(rows, drawn, self.variant)
        self.templates = Column(self._variants.tensor[self.variant], self._variants.dtype)

    def start(self, rows: torch.Tensor) -> None:
        """Begin a new game in each of the rows (N,); their random streams go on."""
        self._draw_options(rows)
        self._run(start_rows, *self._loop_arrays(), column(rows), self.templates)

    def step(self, actions: torch.Tensor) -> None:
        """Play one decision (N,) int64 in each row that is running and whose mask allows the action."""
        arrays = (*self._loop_arrays(), self.log, column(self.every_row), column(actions))
        self._run(step_rows, *arrays)

    def _loop_arrays(self) -> tuple[Column, ...]:
        """Return the columns that the loops of `Batch` take."""
        return self.states, self.luck, column(self.masks), column(self.observations), self.scales

    def field(self, name: str) -> torch.Tensor:
        """Return a field of the states, (N,) or (N, n): a view where it is of whole bytes, int8, else a copy."""
        fields: Mapping[str, Any] = self.states.dtype.fields or {}
        dtype, offset = fields[name][:2]
        numbers = self.states.tensor[:, offset : offset + dtype.itemsize]
        if dtype.base.itemsize == 1:
            numbers = numbers.view(torch.int8)
        else:
            numbers = numbers.contiguous().view(getattr(torch, dtype.base.name))
        return numbers if dtype.shape else numbers[:, 0]

    def observe(self, seats: torch.Tensor) -> torch.Tensor:
        """Return the observation of one seat of each row, (N, F)."""
        out = torch.empty_like(self.observations)
        self._run(observe_rows, self.states, column(seats.to(torch.int64).contiguous()), column(out), self.scales)
        return out

    def payoffs(self, reward: str = "win") -> torch.Tensor:
        """Return each seat's payoff by "win", "rank" or "score", float32 (N, MOST_SEATS); 0 while it is open."""
        out = self._zeros(np.float32, MOST_SEATS)
        number, points = self.game.rules.reward_scale(reward)
        self._run(payoff_rows, self.states, column(out), number, float(points))
        return out

    def sample(self, masks: torch.Tensor | None = None) -> torch.Tensor:
        """Draw a legal action for each row uniformly by the rows' own streams, int64 (N,); -1 if none is legal.

        `masks`, int8 (N, n), replace the games' own.
        """
        actions = self._zeros(np.int64)
        self._run(sample_rows, column(self.masks if masks is None else masks), self.choices, column(actions))
        return actions

    def received_states(self, rows: Any) -> Records:
        """Return copies of the states of these rows, by index or mask, in the memory of the processor."""
        states: Records = self._received(self.states.tensor[rows], self.game.rules.state)
        return states

    def received_views(self, rows: torch.Tensor) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return copies of the observations and masks of these rows (B,) in the memory of the processor."""
        return self.observations[rows].cpu().numpy(), self.masks[rows].cpu().numpy()

    def ask_agent(self, agent: Any, rows: torch.Tensor, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the actions of an agent, which answers on the processor, in these rows (B,), int64 (B,).

        Raises ValueError for anything but B action numbers, IllegalAction for one that the rules forbid.
        """
        states, (observations, masks) = self.received_states(rows), self.received_views(rows)
        if self.whole:
            observations = self.game.rules.fields.to_float(observations)
        chosen = np.asarray(ask_agent(agent, self.game, states, observations, masks, rng).actions)
        if chosen.shape != (len(rows),) or chosen.dtype.kind not in "iu":
            raise ValueError(f"expected {len(rows)} action numbers from {agent!r}, got {chosen.dtype} {chosen.shape}")
        actions = chosen.astype(np.int64)
        wrong = first_illegal(0, len(rows), actions, np.ones(len(rows), np.bool_), as_arrays(states), masks)
        if wrong >= 0:
            raise illegal_action_error(self.game, states[wrong], int(actions[wrong]), masks[wrong], int(rows[wrong]))
        return actions

    def snapshot(self, rows: Any = slice(None)) -> Snapshot:
        """Return copies of the records of these rows, by index or mask, in the memory of the processor."""
        templates = self.templates.tensor
        of_rows = templates if len(templates) == 1 else templates[rows]
        kinds = (self.game.rules.state, self.game.rules.luck, CHOICE, self.game.rules.state)
        given = (self.states.tensor[rows], self.luck.tensor[rows], self.choices.tensor[rows], of_rows)
        records = [self._received(data, dtype) for data, dtype in zip(given, kinds, strict=True)]
        variant = None if self.varied is None else self.variant[rows].cpu().numpy()
        states, luck, choices, first = records
        return Snapshot(states, luck, choices, first, variant=variant)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the records of all rows that a `snapshot`, of `Batch` too, has copied."""
        for name in ("states", "luck", "choices"):
            getattr(self, name).tensor.copy_(self._sent(getattr(snapshot, name)).tensor)
        self.templates = self._sent(snapshot.templates)
        if snapshot.variant is not None:
            self.variant.copy_(torch.from_numpy(snapshot.variant))
        states, _, *shown = self._loop_arrays()
        self._run(observe_rows_masked, states, *shown, column(self.every_row))

    def to_host(self, rows: Any) -> Batch:
        """Return a batch of copies of these rows, by index or mask, with the same luck; indices may be repeated."""
        snapshot = self.snapshot(rows)
        batch = Batch(self.game, len(snapshot.states), templates=snapshot.templates, whole=self.whole, vary=self.varied)
        batch.restore(snapshot)
        return batch

    def _run(self, loop: Callable[..., Any], *arguments: Any) -> None:
        """Run a loop over all rows."""
        self.device.run(loop, self.num_games, *arguments)
