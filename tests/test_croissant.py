"""The data set of puzzles is described in Croissant, with the fields that tracks of data sets ask for."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tools.croissant import croissant

ROOT = Path(__file__).parents[1]
DEMANDED = """dataBiases dataCollection dataLimitations dataReleaseMaintenancePlan dataSocialImpact dataUseCases
personalSensitiveInformation"""


def test_each_file_is_there_with_its_hash_and_the_fields_of_its_records() -> None:
    parsed = json.loads(croissant())
    assert {file["@id"] for file in parsed["distribution"]} == {
        path.parent.name for path in ROOT.glob("titan_env/games/*/puzzles.jsonl")
    }
    for file, records in zip(parsed["distribution"], parsed["recordSet"], strict=True):
        data = (ROOT / "docs" / file["contentUrl"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
        assert file["contentSize"] == f"{len(data)} B"
        assert {field["name"] for field in records["field"]} | {"worths"} == set(json.loads(data.splitlines()[1]))


def test_what_a_track_of_data_sets_demands_is_told() -> None:
    parsed = json.loads(croissant())
    assert all(parsed[f"rai:{field}"] for field in DEMANDED.split())
    assert all(parsed[field] for field in ("name", "description", "license", "url", "creator", "version", "citeAs"))
