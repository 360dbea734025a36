# make demo: set up what it needs, train an agent, race it, save pictures
# make test: set up, check the code, and test it on four games and each game's own rules
# make test-all: test the rest: all games and presets, browser, demo, other libraries (under an hour)
# make docs: the documentation as a site in docs/_build
# make wheel: a wheel for each platform with all games compiled, and an sdist, in dist/ (under an hour of 2 cores)
# make ladder: play the published ratings anew (under an hour of 2 cores; it goes on where it was)
# They need only Python 3.11 (or newer) and git.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
RUN := $(VENV)/bin/python
# A test is skipped where a game lacks what it is about; more skips than there were are a mistake.
PYTEST := $(RUN) -m pytest -n 2 --dist loadfile --no-loadscope-reorder
# Python compiles a module when it is first imported; most of those that pip would compile never are.
INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile

# Hundreds of processes import the package in a run of the tests: compiled once, whatever the user's shell says.
unexport PYTHONDONTWRITEBYTECODE
# Tests compare with the golden files, they do not write them.
unexport TITAN_ENV_UPDATE_GOLDEN

.PHONY: demo test test-all test-versions lint cache docs wheel ladder setup rllib text cuda tested-thoroughly tested-rllib tested-text tested-cuda clean

demo: $(VENV)/demo
	$(RUN) -m titan_env.training.demo

# Rules compile on one core while pip installs what only the tests need on the other, then beside the checks.
test:
	$(MAKE) --jobs 2 lint cache
	$(PYTEST) -m "not thorough" --most-skips 108

# Two environments are made at the same time: pip keeps one core busy.
test-all:
	$(MAKE) --jobs 2 cache rllib text cuda
	$(MAKE) --jobs 2 tested-thoroughly tested-rllib tested-text tested-cuda

tested-thoroughly: setup
	$(PYTEST) -m thorough --most-skips 210

tested-rllib: rllib
	$(VENV)-rllib/bin/python -m pytest tests/rllib

tested-text: text
	$(VENV)-text/bin/python -m pytest tests/text_libraries

tested-cuda: cuda
	$(VENV)-cuda/bin/python -m pytest tests/kernels

# The lowest versions of the libraries that setup.cfg allows, the newest, and each extra, in environments of their own.
test-versions:
	$(PYTHON) -m tools.versions lowest newest
	$(PYTHON) -m tools.extras

lint: setup
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --config setup.cfg
	$(VENV)/bin/towncrier build --draft --version next

# Compiles the rules and agents once, before two processes of tests want them.
cache: $(VENV)/demo
	$(RUN) -m titan_env cache --fill

docs: setup
	$(RUN) -m sphinx -W --keep-going -b html docs docs/_build
	@echo "open docs/_build/index.html"

wheel: setup
	$(RUN) $(INSTALL) -c constraints.txt twine ziglang
	$(RUN) -m tools.wheel

QUICK := random greedy expert
RACE := ppo@titan_race-v3 ppo-advised@titan_race-v3
FANTASY := ppo@fantasy_racing-v2
FANTASY_PLANNER := rollout:16,prior=$(FANTASY)
BATTLE := afterstate@titan_battle-v0
WAR := tuned@titan_war-v0
BATTLE_PLANNERS := mcts:64 improve:16,by=greedy
CARS := random greedy expert:depth=2,beam=4 expert:depth=4,beam=8 expert afterstate@tiny_turbo_cars-v2

PLANNERS := flat:64 mcts:64 rollout:32,prior=$(lastword $(RACE))

# Blocks in which each agent sits, and those of each planner: fewer give wider intervals sooner.
BLOCKS ?= 2048
PLANNER_BLOCKS ?= 256
TOURNAMENT := $(RUN) -m titan_env.evaluation.ratings.tournament

ladder: setup
	for seats in 4 2; do \
		$(TOURNAMENT) $(QUICK) $(RACE) -o titans=$$seats --blocks $(BLOCKS) --at-once 256 --out runs/ladder-$$seats || exit; \
	done
	$(TOURNAMENT) $(QUICK) $(RACE) -o titans=6 --blocks $$(($(BLOCKS) / 2)) --at-once 256 --out runs/ladder-6
	for seats in 4 2 6; do \
		$(TOURNAMENT) $(QUICK) $(FANTASY) --game fantasy_racing -o players=$$seats --blocks $$(($(BLOCKS) / 4)) --at-once 64 --out runs/fantasy-$$seats || exit; \
	done
	for seats in 4 3 2; do \
		$(TOURNAMENT) $(CARS) --game tiny_turbo_cars -o players=$$seats --blocks $$(($(BLOCKS) / 8)) --at-once 32 --out runs/cars-$$seats || exit; \
	done
	$(TOURNAMENT) $(QUICK) $(BATTLE) --game titan_battle --blocks $$(($(BLOCKS) / 4)) --at-once 64 --out runs/battle
	@# an eighth of the blocks with four seats, three eighths with two, which take less time
	for seats in 4 2; do \
		$(TOURNAMENT) $(QUICK) $(WAR) --game titan_war -o players=$$seats -o goal=100 --blocks $$(($(BLOCKS) * (5 - $$seats) / 8)) --at-once 32 --out runs/war-$$seats || exit; \
	done
	$(TOURNAMENT) $(QUICK) $(WAR) --game titan_war -o players=2 -o turns=12 --blocks $$(($(BLOCKS) * 3 / 8)) --at-once 32 --out runs/war-turns
	$(TOURNAMENT) $(QUICK) $(WAR) --game titan_war -o players=2 --blocks $$(($(BLOCKS) * 3 / 16)) --at-once 32 --out runs/war-whole
	for seats in 4 2; do \
		$(TOURNAMENT) $(QUICK) $(FANTASY) $(FANTASY_PLANNER) --only $(FANTASY_PLANNER) --game fantasy_racing -o players=$$seats --blocks $$(($(PLANNER_BLOCKS) / 2)) --seed 100000 --at-once 16 --out runs/fantasy-$$seats || exit; \
	done
	$(TOURNAMENT) $(QUICK) $(FANTASY) flat:64 --only flat:64 --game fantasy_racing -o players=4 --blocks $$(($(PLANNER_BLOCKS) / 4)) --seed 200000 --at-once 16 --out runs/fantasy-4
	seed=100000; for planner in $(BATTLE_PLANNERS); do \
		$(TOURNAMENT) $(QUICK) $(BATTLE) $$planner --only $$planner --game titan_battle --blocks $$(($(PLANNER_BLOCKS) / 2)) --seed $$seed --at-once 16 --out runs/battle || exit; \
		seed=$$((seed + 100000)); \
	done
	seed=100000; for planner in $(PLANNERS); do \
		$(TOURNAMENT) $(QUICK) $(RACE) $$planner --only $$planner -o titans=4 --blocks $(PLANNER_BLOCKS) --seed $$seed --at-once 16 --out runs/ladder-4 || exit; \
		seed=$$((seed + 100000)); \
	done
	$(RUN) -m titan_env.evaluation.ratings.ladder $(foreach run,ladder-4 ladder-2 ladder-6 fantasy-4 fantasy-2 fantasy-6 cars-4 cars-3 cars-2 battle war-4 war-2 war-turns war-whole,--update runs/$(run))

setup: $(VENV)/ready

$(VENV)/ready: $(VENV)/demo
	$(RUN) $(INSTALL) -c constraints.txt -e '.[test]'
	$(RUN) -m compileall -q titan_env  # before any test that leaves little room for files
	touch $@

# What the demo needs is a small part of what the tests need.
$(VENV)/demo: setup.cfg pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "expected Python 3.11 or newer on the PATH, found none; install it"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "expected Python 3.11 or newer, found $$($(PYTHON) --version)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) $(INSTALL) -c constraints.txt numpy torch==2.13.0
	$(RUN) $(INSTALL) -c constraints.txt -e '.[demo]'
	touch $@

# Environments of their own, each with pins of its own.
APART = rllib text cuda

# RLlib pins an older Gymnasium.
rllib: $(VENV)-rllib/ready
$(VENV)-rllib/ready: WANTED = '.[rllib]'

# The libraries of language models; TRL, with which the tests train, is none of an extra.
text: $(VENV)-text/ready
$(VENV)-text/ready: WANTED = '.[textarena,verifiers,openenv,mcp]' trl

# NVIDIA's compilers and Zig's, 250 MB: code for GPUs and for other platforms is compiled and tried on the processor.
cuda: $(VENV)-cuda/ready
$(VENV)-cuda/ready: WANTED = '.[cuda,cli]' ziglang

$(APART:%=$(VENV)-%/ready): $(VENV)-%/ready: setup.cfg pyproject.toml constraints-%.txt
	$(PYTHON) -m venv $(VENV)-$*
	$(VENV)-$*/bin/python $(INSTALL) -c constraints-$*.txt numpy torch==2.13.0
	$(VENV)-$*/bin/python $(INSTALL) -c constraints-$*.txt -e $(WANTED) pytest
	touch $@

clean:
	rm -rf $(VENV) $(APART:%=$(VENV)-%) runs docs/_build docs/_made .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
