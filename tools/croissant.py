"""Describe the turn puzzles as a data set in Croissant, with the fields of responsible AI: `docs/croissant.json`.

`mlcroissant validate --jsonld docs/croissant.json` (library mlcroissant, in an environment of its own) accepts it.
"""

from __future__ import annotations

import configparser
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TYPES = {"id": "sc:Text", "best": "sc:Float", "position": "sc:Text", "whole": "sc:Boolean"}
TYPES |= {"decisions": "sc:Integer"}
TOLD = {
    "id": "The hash of the position.",
    "best": "The best probability of winning.",
    "position": "The position as a text; a null stands in the head of the file, which has the origin of its puzzles.",
    "whole": "Whether the probabilities are of the whole rest of the game, not of the turn alone.",
    "decisions": "The number of decisions that matter in best play; 0 if they were not counted.",
}
ABOUT = """Positions of board games, a puzzle in each line. Its `worths`, an object for which Croissant has no type, are
the probability of winning of each legal action by its text, exact or estimated as the file's head tells."""
_WORDS = """citeAs column equivalentProperty extract field fileObject fileProperty fileSet format includes isLiveDataset
jsonPath key md5 parentField path recordSet references regex repeated replace samplingRate separator source subField
transform"""
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{word: {"@id": f"cr:{word}", "@type": "@json"} for word in ("data", "examples")},
    **{word: f"cr:{word}" for word in _WORDS.split()},
}
RESPONSIBLE = {
    "dataCollection": "Games of agents of this package, played by a program: positions whose turn can be solved.",
    "dataCollectionType": "Software Collection",
    "dataAnnotationProtocol": "A search over all actions and dice, or play-outs where the head says so; no person.",
    "dataBiases": "Positions are such as the agents named in each file's head reach, where actions differ in value.",
    "dataLimitations": "The best chance of winning within the turn need not be the best move for the whole game.",
    "dataUseCases": "Measure how well an agent or a language model plays a turn, without opponents and without luck.",
    "dataSocialImpact": "Board games; none is expected beyond that of the agents that are measured.",
    "personalSensitiveInformation": "None: no person plays in them.",
    "dataReleaseMaintenancePlan": "A new version of a game comes with puzzles made anew, in the same release.",
}


def _files() -> Iterator[dict[str, Any]]:
    """Yield the description of each game's file."""
    for path in sorted(ROOT.glob("titan_env/games/*/puzzles.jsonl")):
        data = path.read_bytes()
        yield {
            "@type": "cr:FileObject",
            "@id": path.parent.name,
            "name": path.parent.name,
            "description": f"{len(data.splitlines()) - 1:,} puzzles.",
            "contentUrl": f"../{path.relative_to(ROOT).as_posix()}",
            "contentSize": f"{len(data)} B",
            "encodingFormat": "application/jsonlines",
            "sha256": hashlib.sha256(data).hexdigest(),
        }


def _records(name: str) -> dict[str, Any]:
    """Return the description of the records of a file."""
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}_puzzles/{column}",
            "name": column,
            "description": TOLD[column],
            "dataType": kind,
            "source": {"fileObject": {"@id": name}, "extract": {"column": column}},
        }
        for column, kind in TYPES.items()
    ]
    return {"@type": "cr:RecordSet", "@id": f"{name}_puzzles", "name": f"{name}_puzzles", "field": fields}


def croissant() -> str:
    """Return the description as JSON-LD."""
    files, setup = list(_files()), configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    about = setup["metadata"]
    dataset = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": "titan_env_turn_puzzles",
        "description": ABOUT,
        "license": "https://spdx.org/licenses/MIT.html",
        "url": about["url"],
        "version": about["version"],
        "datePublished": "2026-11-29",
        "creator": {"@type": "sc:Organization", "name": about["author"]},
        "citeAs": f"{about['author']}: titan_env {about['version']}, 2026",
        "isLiveDataset": False,
        "distribution": files,
        "recordSet": [_records(file["name"]) for file in files],
        **{f"rai:{name}": text for name, text in RESPONSIBLE.items()},
    }
    return json.dumps(dataset, indent=1) + "\n"
