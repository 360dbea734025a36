"""Records signed with a key of one's own: any change of the file, the signature or the key is found."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from titan_env.__main__ import app

pytest.importorskip("cryptography", reason="needs the extra signing")
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
    code, said = run("sign", race, "--key", key)
    assert (code, "me.pem.pub" in said) == (0, True)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    code, said = run("verify", race, "--key", public_of(key))
    assert (code, "is what the holder of me.pem.pub, whose signature is right, claims" in said) == (0, True)
    assert run("verify", race)[0] == 0


@pytest.mark.parametrize("changed", ["agents", "signature", "key", "no signature", "half a signature"])
def test_what_is_not_as_it_was_signed_is_refused(race: Path, key: Path, changed: str) -> None:
    sign(race, key)
    public = public_of(key)
    out = signature_of(race)
    if changed == "agents":
        race.write_bytes(race.read_bytes() + b"\n")
    elif changed == "signature":
        said = out.read_text("utf-8")
        out.write_text(("0" if said[0] != "0" else "1") + said[1:], "utf-8")
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
    code, said = run("sign", race, "--key", key)
    assert (code, "expected a new file" in said) == (2, True)
    other = race.with_name("other.jsonl")
    other.write_bytes(GOLDEN.read_bytes())
    sign(other, key)
    assert key.read_bytes() == secret
    assert signature_of(other).read_text("utf-8") == signature_of(race).read_text("utf-8")


def test_what_is_no_key_or_no_record_is_refused_in_one_line_and_leaves_nothing(race: Path, key: Path) -> None:
    for wrong in (lambda: None, lambda: key.write_text("a poem")):
        wrong()
        arguments = ("--key", key) if key.exists() else ()
        code, said = run("sign", race, *arguments)
        assert (code, said.count("\n"), "expected a" in said) == (2, 1, True)
    poem = race.with_name("poem.jsonl")
    poem.write_text("roses are red\n")
    assert run("sign", race, poem, "--key", race.with_name("new.pem"))[0] == 2
    assert sorted(path.name for path in race.parent.iterdir()) == ["me.pem", "poem.jsonl", "race.jsonl"]
    assert run("verify", race, "--key", race)[0] == 1
    assert run(race, "--key", key)[0] == 2
