"""Networks that remember play from a file as they were trained: in batches, matches and sessions that go back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from tests.training.small import HOLD, PIG, ROLL
from titan_env import agents
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.observation_view import ObservationView
from titan_env.evaluation.matches.match import win_rates
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.game_loop import play_games
from titan_env.play.observation_history import EventHistory, record_steps
from titan_env.records.session import GameSession
from titan_env.training.export_policy import save_module

pytestmark = pytest.mark.thorough

FIELDS, ACTIONS = PIG.rules.fields.size, len(PIG.rules.actions)


class Counting(nn.Module):
    """A network that rolls at its first two decisions of a game, holds at the third if it may, and so on."""

    def forward(self, observations: torch.Tensor, memory: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        holds = torch.where(memory == 2, 5.0, -5.0)
        logits = torch.cat([holds * (1 if action == HOLD else -1) for action in range(ACTIONS)], dim=1)
        return logits + 0 * observations[:, :1], torch.where(memory == 2, 0.0, memory + 1)


class Recurrent(nn.Module):
    """A recurrent layer of PyTorch over what is seen, with values."""

    def __init__(self, kind: Any, inputs: int = FIELDS, remembered: int = 6) -> None:
        super().__init__()
        self.layer = kind(inputs, 6)
        self.policy, self.value = nn.Linear(6, ACTIONS), nn.Linear(6, 1)
        self.memory = (remembered,)

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor, memory: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        if isinstance(self.layer, nn.GRUCell):
            seen = after = self.layer(observations, memory)
        elif isinstance(self.layer, nn.LSTMCell):
            seen, cell = self.layer(observations, memory.chunk(2, dim=1))
            after = torch.cat([seen, cell], dim=1)
        else:
            out, last = self.layer(observations[None], memory[None])
            seen, after = out[0], last[0]
        return self.policy(seen), self.value(seen) + 0 * masks.sum(dim=1, keepdim=True), after


def counting(folder: Path) -> Any:
    save_module(folder / "policy.onnx", Counting(), PIG, {}, memory=(1,))
    return agents.load(f"policy:{folder / 'policy.onnx'}", PIG)


def test_every_seat_of_every_game_of_a_batch_remembers_its_own_decisions_alone(tmp_path: Path) -> None:
    agent, games = counting(tmp_path), 5
    batch = Batch(PIG, games, events=True)
    batch.seed(range(games))
    batch.start()
    histories = [EventHistory(PIG) for _ in range(games)]
    taken: list[list[tuple[int, int, bool]]] = [[] for _ in range(games)]

    def decide(_: int, rows: np.ndarray) -> np.ndarray:
        actions = ask_in_batch(agent, batch, rows, np.random.default_rng(0), histories).actions
        for row, action in zip(rows, actions, strict=True):
            taken[row].append((int(batch.states["seat"][row]), int(action), bool(batch.masks[row, HOLD])))
        return actions

    everybody = np.zeros((games, 2), np.int64)
    play_games(batch, everybody, decide, lambda actions: record_steps(batch, actions, histories))
    for decisions in taken:
        for seat in (0, 1):
            own = [(action, may_hold) for who, action, may_hold in decisions if who == seat]
            wanted = [HOLD if number % 3 == 2 and may_hold else ROLL for number, (_, may_hold) in enumerate(own)]
            assert [action for action, _ in own] == wanted
    assert len({len(decisions) for decisions in taken}) > 1, "games of different lengths"


def test_a_game_that_is_taken_back_or_begun_again_by_its_record_goes_on_as_it_would_have(tmp_path: Path) -> None:
    agent = counting(tmp_path)
    session = GameSession(GameSetup.of(PIG, {}), 3)
    started = (session.states.copy(), session.luck.copy())
    for _ in range(7):
        assert session.ask_agent(agent) == session.ask_agent(agent), "asked twice it answers the same"
        session.play(session.ask_agent(agent))
    next_one = session.ask_agent(agent)
    again = GameSession(GameSetup.of(PIG, {}), 3)
    for line in session.recorder.lines[1:]:
        assert again.repeat(line)
    assert again.ask_agent(counting(tmp_path)) == next_one
    session.go_back(0, *started)
    assert session.ask_agent(agent) == ROLL


@pytest.mark.parametrize("kind", [nn.GRUCell, nn.LSTMCell, nn.GRU], ids=["GRUCell", "LSTMCell", "GRU"])
def test_a_recurrent_layer_answers_from_its_file_as_in_memory(kind: Any, tmp_path: Path) -> None:
    view = ObservationView(PIG, without=["points"])
    network = Recurrent(kind, view.layout.size, 12 if kind is nn.LSTMCell else 6)
    save_module(tmp_path / "policy.onnx", network, PIG, {"script": "mine"}, view, network.memory)
    policy: Any = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    assert policy.made["script"] == "mine"
    rng = np.random.default_rng(0)
    masks, memory = np.ones((4, ACTIONS), np.int8), np.zeros((4, *network.memory), np.float32)
    expected_memory = torch.zeros(4, *network.memory)
    for _ in range(5):
        observations = rng.random((4, FIELDS), np.float32)
        logits, values, memory = policy.answers(observations, masks, memory)
        with torch.no_grad():
            seen = torch.from_numpy(view(observations))
            wanted, worth, expected_memory = network(seen, torch.ones(4, ACTIONS, dtype=torch.bool), expected_memory)
        assert logits == pytest.approx(wanted.numpy(), abs=1e-4)
        assert values == pytest.approx(worth[:, 0].clamp(-1, 1).numpy(), abs=1e-4)
        assert memory == pytest.approx(expected_memory.numpy(), abs=1e-4)


def test_it_plays_matches_the_same_every_time(tmp_path: Path) -> None:
    players = {"counting": counting(tmp_path), "random": agents.load("random", PIG)}
    shares = win_rates(PIG, players, 40, 1)
    assert shares == win_rates(PIG, players, 40, 1)
    assert shares["counting"].rate > 0.5


def test_where_no_history_is_kept_one_line_says_so(tmp_path: Path) -> None:
    agent, batch = counting(tmp_path), Batch(PIG, 1)
    batch.start()
    with pytest.raises(agents.AgentFailed, match="remembers its games: expected it where their history is kept"):
        ask_in_batch(agent, batch, np.array([0]), np.random.default_rng(0))
    for planner in ("flat:8,by=", "rollout:8,prior="):
        with pytest.raises(ValueError, match="expected"):
            agents.load(f"{planner}policy:{tmp_path / 'policy.onnx'}", PIG)


@pytest.mark.parametrize(
    ("memory", "reason"),
    [
        ((5,), "expected a module that takes observations .* and masks .* and memory .7, 5., got .*"),
        ((), "expected a module that takes .*"),
    ],
    ids=["other size", "none"],
)
def test_a_memory_that_does_not_fit_is_refused_and_overwrites_nothing(
    memory: tuple[int, ...], reason: str, tmp_path: Path
) -> None:
    kept = tmp_path / "policy.onnx"
    kept.write_text("kept", "utf-8")
    with pytest.raises(ValueError, match=f"^{reason}$"):
        save_module(kept, Recurrent(nn.GRUCell), PIG, {}, memory=memory)
    assert kept.read_text("utf-8") == "kept"


def test_a_module_that_does_not_return_what_it_remembers_is_refused(tmp_path: Path) -> None:
    class Forgetful(nn.Module):
        def forward(self, observations: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
            return observations[:, :ACTIONS] + 0 * memory

    with pytest.raises(ValueError, match=r"expected logits, values and memory of the shapes .*, got"):
        save_module(tmp_path / "policy.onnx", Forgetful(), PIG, {}, memory=(1,))
