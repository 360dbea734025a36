"""Records signed with a key of one's own: any change of the file, the signature or the key is found."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from titan_env.__main__ import app

pytest.importorskip("cryptography", reason="needs the extra signing")
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from titan_env.records.journal import Journal
from titan_env.records.signing import make_key, public_of, sign, signature_of, verify  # after the skip

GOLDEN = Path(__file__).parents[1] / "golden" / "race_2.jsonl"


def run(*arguments: object) -> tuple[int, str]:
    """Exit code and output of `replay`."""
    done = CliRunner().invoke(app, ["replay", *map(str, arguments)])
    return done.exit_code, done.output


@pytest.fixture
def race(tmp_path: Path) -> Path:
    path = tmp_path / "race.jsonl"
    path.write_bytes(GOLDEN.read_bytes())
    return path


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "me.pem"


def test_who_has_the_public_key_verifies_what_was_signed(race: Path, key: Path) -> None:
    code, output = run("sign", race, "--key", key)
    assert (code, "me.pem.pub" in output) == (0, True)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    code, output = run("verify", race, "--key", public_of(key))
    assert (code, "is what the holder of me.pem.pub, whose signature is right (record of " in output) == (0, True)
    assert run("verify", race)[0] == 0


@pytest.mark.parametrize("changed", ["agents", "signature", "key", "no signature", "half a signature"])
def test_what_is_not_as_it_was_signed_is_refused(race: Path, key: Path, changed: str) -> None:
    sign(race, key)
    public = public_of(key)
    out = signature_of(race)
    if changed == "agents":
        race.write_bytes(race.read_bytes() + b"\n")
    elif changed == "signature":
        text = out.read_text("utf-8")
        out.write_text(("0" if text[0] != "0" else "1") + text[1:], "utf-8")
    elif changed == "key":
        make_key(key.with_name("other.pem"))
        public = public_of(key.with_name("other.pem"))
    elif changed == "no signature":
        out.unlink()
    else:
        out.write_text(out.read_text("utf-8")[:60], "utf-8")
    with pytest.raises(ValueError, match="expected"):
        verify(race, public)
    assert run("verify", race, "--key", public)[0] == 1


def test_the_same_key_signs_again_and_nothing_is_written_over(race: Path, key: Path) -> None:
    sign(race, key)
    secret = key.read_bytes()
    code, output = run("sign", race, "--key", key)
    assert (code, "expected a new file" in output) == (2, True)
    other = race.with_name("other.jsonl")
    other.write_bytes(GOLDEN.read_bytes())
    sign(other, key)
    assert key.read_bytes() == secret
    assert signature_of(other).read_text("utf-8") == signature_of(race).read_text("utf-8")


def test_what_is_no_key_or_no_record_is_refused_in_one_line_and_leaves_nothing(race: Path, key: Path) -> None:
    for wrong in (lambda: None, lambda: key.write_text("a poem")):
        wrong()
        arguments = ("--key", key) if key.exists() else ()
        code, output = run("sign", race, *arguments)
        assert (code, output.count("\n"), "expected a" in output) == (2, 1, True)
    poem = race.with_name("poem.jsonl")
    poem.write_text("roses are red\n")
    assert run("sign", race, poem, "--key", race.with_name("new.pem"))[0] == 2
    assert sorted(path.name for path in race.parent.iterdir()) == ["me.pem", "poem.jsonl", "race.jsonl"]
    assert run("verify", race, "--key", race)[0] == 1
    assert run(race, "--key", key)[0] == 2


def test_a_signature_says_what_it_is_whether_it_is_finished_by_which_version_and_key(race: Path, key: Path) -> None:
    cut = race.with_name("cut.jsonl")
    cut.write_bytes(b"".join(race.read_bytes().splitlines(keepends=True)[:10]))
    sign(race, key)
    sign(cut, key)
    assert re.fullmatch(
        r"record of \w+, finished after \d+ decisions; signed by titan_env [\d.]+ with the key [0-9a-f]{16}",
        verify(race, public_of(key)),
    )
    assert "cut off after 9 decisions" in verify(cut, public_of(key))
    assert "cut off after 9 decisions" in run("verify", cut, "--key", public_of(key))[1]


def test_a_statement_that_was_changed_is_refused(race: Path, key: Path) -> None:
    sign(race, key)
    out = signature_of(race)
    out.write_text(out.read_text("utf-8").replace("finished", "cut off"), "utf-8")
    with pytest.raises(ValueError, match="expected what the holder"):
        verify(race, public_of(key))


def test_signatures_of_version_0_2_still_hold(race: Path, key: Path) -> None:
    make_key(key)
    private = load_pem_private_key(key.read_bytes(), None)
    assert isinstance(private, Ed25519PrivateKey)
    signature_of(race).write_text(f"{private.sign(race.read_bytes()).hex()}\n")
    assert verify(race, public_of(key)) == "signed by version 0.2, which does not say whether it is finished"
    race.write_bytes(race.read_bytes() + b"\n")
    with pytest.raises(ValueError, match="expected what the holder"):
        verify(race, public_of(key))


def test_the_results_of_a_tournament_are_signed_too(tmp_path: Path, key: Path) -> None:
    results = tmp_path / "results.jsonl"
    header = {"protocol": "mixed tables 1", "game": "pig_v0", "options": {}, "agents": {}}
    Journal(results, "results").begin(header, [{"blocks": []}])
    assert run("sign", results, "--key", key)[0] == 0
    code, output = run("verify", results, "--key", public_of(key))
    assert (code, "results of a tournament of pig_v0 by mixed tables 1, 1 units" in output) == (0, True)
    results.write_text(results.read_text("utf-8") + "{}\n", "utf-8")
    assert run("verify", results, "--key", public_of(key))[0] == 1
