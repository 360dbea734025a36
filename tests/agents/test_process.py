"""An agent in processes of its own: bytes in, a number out, and nothing of the referee in reach."""

from __future__ import annotations

import inspect
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.agents.name_grammar import quoted
from titan_env.agents.process import STARTS
from titan_env.agents.process.tree import processor_seconds, tree_of
from titan_env.contract.frame import written_by_the_game
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.blocks import load_instances
from titan_env.evaluation.matches.fingerprints import fingerprint, sources
from titan_env.evaluation.matches.focal import play_alone
from titan_env.evaluation.matches.isolation import isolated, mode_of
from titan_env.play.determinization import Determinizations, agent_rng

PIG = registry.load("pig")
PLAIN = Path(__file__).parents[2] / "agents" / "plain_agent.py"
MASKS = np.array([[1, 1]], np.int8)
SEEN = np.zeros((1, PIG.rules.fields.size), np.float32)
HOLD, ROLL = (PIG.rules.actions.numbers[text] for text in ("hold", "roll"))
BEGIN = """
import os, subprocess, sys, time
word, version, game, fields, actions, *numbers = sys.stdin.buffer.readline().split()
size = 4 * int(fields) + int(actions)
print("ready", flush=True)
"""
"""The beginning of a program that is an agent."""


def command(program: Path) -> str:
    """Return the command that runs a Python program, in a folder with any name."""
    return shlex.join([sys.executable, str(program)])


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    """Write the file of an agent."""
    (folder / name).write_text(text)
    return folder / name


@contextmanager
def playing(path: str, game: Any = PIG, **limits: float) -> Iterator[Any]:
    """Load an agent in processes of its own, and end them."""
    message = "".join(f",{key}={value}" for key, value in limits.items())
    agent: Any = agents.load(f"process:{quoted(path)}{message}", game)
    agent.counts.clear()
    try:
        yield agent
    finally:
        agent.end_games()


def program(folder: Path, text: str) -> str:
    """Return the command of a program in plain Python that begins as an agent does."""
    return command(written(folder, BEGIN + text, "program.py"))


def test_a_program_that_knows_nothing_of_this_package_plays() -> None:
    with playing(command(PLAIN)) as agent:
        drawn = [int(agent(SEEN, MASKS, rng)[0]) for rng in [agent_rng(1)] for _ in range(20)]
        assert set(drawn) == {0, 1}
        assert agent(SEEN, np.array([[0, 1]], np.int8), agent_rng(2)).tolist() == [1]
        assert agent.counts == {"decisions": 21}
        assert PLAIN in sources(f"process:{quoted(command(PLAIN))}", PIG)


@pytest.mark.thorough
def test_the_bytes_are_the_observation_and_the_mask(tmp_path: Path) -> None:
    text = "seen = sys.stdin.buffer.read(size)\nopen(sys.argv[1], 'wb').write(seen)\nprint(0, flush=True)\n"
    out = tmp_path / "seen"
    seen = np.arange(PIG.rules.fields.size, dtype=np.float32)[None] / 3
    with playing(f"{program(tmp_path, text)} {out}") as agent:
        assert agent(seen, MASKS, agent_rng(1)).tolist() == [0]
    assert out.read_bytes() == seen.astype("<f4").tobytes() + b"\1\1"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("sys.stdin.buffer.read(size)\nsys.exit()", "died"),
        ("sys.stdin.buffer.read(size)\ntime.sleep(10**6)", "late"),
        ("sys.stdin.buffer.read(size)\nwhile True: print('1' * 1000)", "flooded"),
        ("print(1)\nprint(1, flush=True)\nwhile sys.stdin.buffer.read(size): print(1, flush=True)", "flooded"),
        ("while sys.stdin.buffer.read(size): print('one', flush=True)", "unreadable"),
        ("while sys.stdin.buffer.read(size): print('nan', flush=True)", "unreadable"),
        ("while sys.stdin.buffer.read(size): print(-1, flush=True)", "illegal"),
        ("while sys.stdin.buffer.read(size): print(10**30, flush=True)", "illegal"),
    ],
)
def test_what_is_no_answer_is_forfeited_and_drawn_at_random(tmp_path: Path, text: str, cause: str) -> None:
    rng = agent_rng(1)
    with playing(program(tmp_path, text), seconds=0.3 if cause == "late" else 60) as agent:
        drawn = [int(agent(SEEN, MASKS, rng)[0]) for _ in range(8)]
        assert set(drawn) == {0, 1}
        assert agent.counts["decisions"] == agent.counts["drawn"] == 8
        assert agent.counts[cause] >= STARTS
        again = [int(agent_rng(1).choice([0, 1], size=8)[0])]
        assert drawn[:1] == again, "from the generator of the seat"
        summary = agent.usage_summary(agent.counts)
    assert summary.startswith("8 decisions, 8 forfeited and drawn at random (")
    assert f" {cause}" in summary


@pytest.mark.thorough
def test_an_agent_that_dies_is_started_anew_a_few_times_in_a_game_and_then_no_more(tmp_path: Path) -> None:
    text = "open(sys.argv[1], 'a').write('x')\nsys.stdin.buffer.read(size)"
    log = tmp_path / "log"
    with playing(f"{program(tmp_path, text)} {log}") as agent:
        for rng in (agent_rng(1), agent_rng(2)):
            for _ in range(2 * STARTS):
                agent(SEEN, MASKS, rng)
    assert log.read_text() == 2 * STARTS * "x"


@pytest.mark.thorough
def test_processor_time_counts_with_children_and_between_decisions(tmp_path: Path) -> None:
    busy = "end = time.process_time() + 0.3\\nwhile time.process_time() < end: pass"
    child = f'subprocess.run([sys.executable, "-c", "import time\\n{busy}"])\n'
    text = "while sys.stdin.buffer.read(size):\n    print(0, flush=True)\n    " + child
    rng = agent_rng(1)
    with playing(program(tmp_path, text), processor=0.2, seconds=600) as agent:
        agent(SEEN, MASKS, rng)
        agent(SEEN, MASKS, rng)
        assert (agent.counts["processor"], agent.counts["late"]) == (1, 0)
        assert agent.clock.milliseconds > 300


@pytest.mark.thorough
def test_a_process_ends_with_all_that_it_has_started(tmp_path: Path) -> None:
    started = "subprocess.Popen([sys.executable, '-c', 'import os, time; os.setsid(); time.sleep(10**6)'])"
    orphan = f'subprocess.run([sys.executable, "-c", "import subprocess, sys; {started}"])'
    text = f"{orphan}\n{started}\nwhile sys.stdin.buffer.read(size): print(0, flush=True)"
    with playing(program(tmp_path, text)) as agent:
        agent(SEEN, MASKS, agent_rng(1))
        (seat,) = agent._seats.values()
        tree = [*tree_of(seat.process.pid)]
        assert len(tree) == 3, "the child and the orphan are known"
        assert processor_seconds(seat.process.pid) > 0
    assert not [pid for pid in tree if Path(f"/proc/{pid}").exists()]


GREEDY = 'from titan_env import agents\n\n\ndef make(game):\n    return agents.load("greedy", game)\n'


@pytest.mark.thorough
def test_an_agent_plays_the_same_games_in_processes_of_its_own(tmp_path: Path) -> None:
    race = registry.load("titan_race")
    drawing = written(tmp_path, (PLAIN.parent / "my_agent.py").read_text(), "drawing.py")
    for file in (written(tmp_path, GREEDY), drawing):
        played = [
            play_alone(race, load_instances(race, [f"{kind}:{file}", "expert"]), range(3), titans=4)
            for kind in ("process", "python")
        ]
        assert played[0].digests == played[1].digests
        assert (played[0].shares == played[1].shares).all()


SHARING = """
import os, sys, types

shared = sys.modules.setdefault("shared_by_all", types.ModuleType("shared_by_all"))
shared.seats = getattr(shared, "seats", 0) + 1

def make(game):
    number = shared.seats
    def act(seen, masks, rng):
        frame, met = sys._getframe(), []
        while frame:
            met += [name for name in ("batch", "states", "streams") if name in frame.f_locals]
            frame = frame.f_back
        legal = number == 1 and not met and not os.environ.get("REFEREES_KEY")
        return masks.argmax(axis=1) if legal else masks.argmin(axis=1) * 0 - 1
    return act
"""
"""An agent that answers what is illegal as soon as it meets another seat, the referee, or its environment."""


@pytest.mark.thorough
def test_a_module_shared_between_instances_tells_nothing_of_other_seats_and_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREES_KEY", "secret")
    file = written(tmp_path, SHARING)
    trusted = load_instances(PIG, [f"python:{file}", "random"])
    met = [trusted.of(0, game)(SEEN, MASKS, agent_rng(1)).tolist() for game in range(2)]
    assert [-1] in met, "the control is dead"
    with playing(str(file)) as agent:
        play_alone(PIG, load_instances(PIG, [f"process:{file}", "random"]), range(2), goal=20)
        assert agent.counts["decisions"] > 8
        assert not agent.counts["drawn"]


@pytest.mark.thorough
def test_an_agent_is_made_of_the_files_that_it_imports_and_opens(tmp_path: Path) -> None:
    text = "import sys\nfrom pathlib import Path\nsys.path.insert(0, {!r})\nimport beside\n"
    text += (
        "lines = Path({!r}).read_text()\ndef make(game):\n    return lambda seen, masks, rng: masks.argmax(axis=1)\n"
    )
    table = written(tmp_path, "1 2 3", "table.txt")
    module = written(tmp_path, "number = 1\n", "beside.py")
    file = written(tmp_path, text.format(str(tmp_path), str(table)))
    for kind in ("process", "python"):
        name = f"{kind}:{file}"
        found = sources(name, PIG)
        assert {file, table, module} <= set(found)
        assert not [path for path in found if path.name in ("linecache.py", "numpy")]
        for changed in (table, module):
            before = fingerprint(name, PIG)
            changed.write_text(changed.read_text() + "\n")
            assert fingerprint(name, PIG) != before, changed.name


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0", "got 'ZeroDivisionError: division by zero'"),
        ("def make(game):\n    return 1", r"expected a function make\(game\)"),
        ("import os\nos._exit(1)", "got 'died'"),
    ],
)
def test_an_agent_that_does_not_start_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        fingerprint(f"process:{written(tmp_path, text)}", PIG)
    assert "\n" not in str(refused.value)


PLANNING = """
from titan_env import agents

class Planner:
    plans = True

    def __init__(self, game):
        self.flat = agents.load("flat:4", game)

    def __call__(self, seen, masks, rng, worlds):
        imagined = worlds.imagine(8, rng)
        assert (imagined.observations == seen).all() and (imagined.masks == masks).all()
        return self.flat(seen, masks, rng, worlds)

make = Planner
"""
"""A planner that dies where an imagined position does not look to its seat as the true one does."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["titan_race", "goofspiel"])
def test_a_planner_imagines_positions_that_look_to_its_seat_as_the_true_one(name: str, tmp_path: Path) -> None:
    game, agent = registry.load(name), f"process:{written(tmp_path, PLANNING)}"
    played = []
    for _ in range(2):
        players = load_instances(game, [agent, "random"])
        players.of(0).counts.clear()  # type: ignore[attr-defined]
        played.append(play_alone(game, players, range(2)).digests)
        counted = players.of(0).counts  # type: ignore[attr-defined]
        assert counted["decisions"] > 8
        assert not counted["drawn"], counted
    assert played[0] == played[1], "from the seeds alone"
    imagined = written_by_the_game(game.rules.imagine)
    assert Path(inspect.getfile(inspect.unwrap(imagined))) in sources(agent, game)


def test_a_planner_does_not_have_the_generator_that_its_worlds_are_drawn_from() -> None:
    race = registry.load("titan_race")
    batch = Batch(race, 1)
    batch.seed([3])
    batch.start()
    agent: Any = agents.load(f"process:{quoted(command(PLAIN))}", race)
    numbers = {}
    for hides in (False, True):
        rng = agent_rng(5)
        *_, state, increment = map(int, agent._greeting(rng, hides).split()[3:])
        other = np.random.Generator(np.random.PCG64())
        other.bit_generator.state = rng.bit_generator.state | {"state": {"state": state, "inc": increment}}
        numbers[hides] = [Determinizations(race, batch.states, one).states.tobytes() for one in (rng, other)]
    assert numbers[False][0] == numbers[False][1], "the control: who has the generator draws the same world"
    assert numbers[True][0] != numbers[True][1]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("process:none.py", "expected the file of an agent or a command, as in process:my_agent.py, found no none.py"),
        ('process:"no-such-program x"', "found no no-such-program x"),
        ("process:true,seconds=0", "expected seconds and processor above 0, got 0 and 10"),
    ],
)
def test_what_is_no_agent_is_said(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agents.load(name, PIG)


def test_code_from_files_is_rated_in_processes_of_its_own_unless_it_is_trusted() -> None:
    assert isolated("python:mine.py") == "process:mine.py"
    assert isolated("python:mine.py", trusted=True) == "python:mine.py"
    assert isolated("expert") == "expert"
    with pytest.raises(ValueError, match="expected process:FILE or an agent without code of others, got delegate:"):
        isolated("delegate:expert,roll=python:mine.py")
    names = ["expert", "process:mine.py", "python:mine.py"]
    assert [mode_of(names[:count]) for count in (1, 2, 3)] == [
        "built in",
        "in processes of its own",
        "trusted, in the referee's process",
    ]
