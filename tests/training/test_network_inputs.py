"""The columns that no decision uses are left out, and nothing that is learned changes."""

from __future__ import annotations

import pytest
import torch

from titan_env.training.network import PolicyNetwork
from titan_env.training.network_inputs import NetworkInputs

DECISIONS, COLUMNS, ACTIONS = 64, 40, 6
FACTORS = torch.linspace(0.1, 1, COLUMNS)
MASKS = torch.ones((DECISIONS, ACTIONS), dtype=torch.bool)
SOME = torch.tensor([7, 3, 63])


def observed(used: range, dtype: torch.dtype) -> torch.Tensor:
    """Observations in which these columns are used, each by a single decision."""
    observations = torch.zeros((DECISIONS, COLUMNS), dtype=dtype)
    for column in used:
        observations[column, column] = 1 + column
    return observations


@pytest.mark.parametrize("dtype", [torch.int8, torch.int16, torch.float32, torch.bfloat16])
def test_columns_that_are_0_in_all_decisions_are_left_out_but_for_the_last_ones(dtype: torch.dtype) -> None:
    whole = NetworkInputs(observed(range(3, 20), dtype), MASKS, FACTORS)
    compact = whole.compact(last=ACTIONS)
    assert compact.columns is not None
    assert compact.columns.tolist() == [*range(3, 20), *range(COLUMNS - ACTIONS, COLUMNS)]
    inputs, masks = compact.of(SOME)
    assert torch.equal(inputs, whole.of(SOME)[0][:, compact.columns])
    assert torch.equal(masks, MASKS[SOME])


def test_where_nearly_all_columns_are_used_all_stay() -> None:
    whole = NetworkInputs(observed(range(1, COLUMNS), torch.int8), MASKS, FACTORS)
    assert whole.compact(last=0) is whole


@pytest.mark.parametrize("critic", [False, True])
def test_a_network_learns_the_same_from_compact_inputs(critic: bool) -> None:
    torch.manual_seed(1)
    network = PolicyNetwork(COLUMNS, ACTIONS, width=8, critic=critic)
    whole = NetworkInputs(observed(range(5, 25), torch.int8), MASKS, FACTORS)
    outcomes = []
    for inputs in (whole, whole.compact(last=0)):
        network.zero_grad()
        logits, values = network(*inputs.of(SOME), inputs.columns)
        (logits.square().sum() + values.sum()).backward()
        gradients = [weights.grad for weights in network.parameters()]
        outcomes.append([logits, values, *gradients])
    for one, other in zip(*outcomes, strict=True):
        torch.testing.assert_close(one, other)
