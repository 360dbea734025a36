"""The page for others: behind a proxy, under a path, with limits for each address, and in containers."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from starlette.testclient import TestClient
from typer.testing import CliRunner
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tests.web.conftest import Visit
from tests.web.serving import RACE, serving
from tests.web.test_agent_scheduler import SLOW, is_thinking, within
from titan_env.__main__ import app
from titan_env.web.hosting import address_limits
from titan_env.web.hosting.address_limits import AddressLimit, BoundedProtocol, networks_of
from titan_env.web.hosting.processes import Processes
from titan_env.web.hosting.routes import application
from titan_env.web.hosting.serve import PER_ADDRESS, Hosting, PromptServer, answered_hosts, configured, listen
from titan_env.web.requests.server import Server

HOSTING = Path(__file__).parents[2] / "hosting"
GREEDY = ["greedy"] * 3


def visiting(application: Any, address: str = "192.0.2.1", **how: Any) -> TestClient:
    """A browser at an address that has opened the page."""
    client = TestClient(application, base_url="http://localhost", client=(address, 5000), **how)
    client.get("/")
    return client


# Limits


def test_an_address_that_asks_too_often_waits_and_no_other_does() -> None:
    clock = [0.0]
    limit = AddressLimit(2, 4, lambda: clock[0])
    assert [limit.admits("192.0.2.1") for _ in range(6)] == [True] * 4 + [False] * 2
    assert limit.admits("192.0.2.2")
    clock[0] = 1.0
    assert [limit.admits("192.0.2.1") for _ in range(3)] == [True, True, False]


def test_visitors_in_one_network_of_the_longer_addresses_count_as_one() -> None:
    limit = AddressLimit(1, 1, lambda: 0.0)
    found = [limit.admits(name) for name in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "testclient")]
    assert found == [True, False, True, True]


def test_of_addresses_that_have_waited_nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_limits, "_MOST_COUNTED", 10)
    clock = [0.0]
    limit = AddressLimit(1, 5, lambda: clock[0])
    for number in range(200):
        clock[0] = number
        limit.admits(f"192.0.2.{number}")
    assert len(limit._spent) <= 11


def test_minted_cookies_begin_no_more_games_than_their_address_may_and_close_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("titan_env.web.hosting.routes.MOST_NEW_GAMES", 5)
    monkeypatch.setattr("titan_env.web.hosting.routes.NEW_GAMES", 0.0)
    page = application(Server(), per_address=1000)
    minting = visiting(page)
    statuses = []
    for number in range(30):
        minting.cookies.clear()
        minting.cookies.set("seat", f"{number:043}")
        statuses.append(minting.post("/api/begin", json={**RACE, "names": GREEDY}).status_code)
    assert statuses == [200] * 5 + [429] * 25
    assert "fewer requests" in minting.post("/api/begin", json={**RACE, "names": GREEDY}).json()["error"]
    assert visiting(page, "192.0.2.2").post("/api/begin", json={**RACE, "names": GREEDY}).status_code == 200


def test_one_machine_alone_has_no_limit_and_others_have_one_unless_told_otherwise() -> None:
    assert Hosting().requests_a_second == 0
    assert Hosting(host="0.0.0.0", names=["a"]).requests_a_second == PER_ADDRESS
    assert Hosting(names=["lab.example.org"]).requests_a_second == PER_ADDRESS
    assert Hosting(per_address=7).requests_a_second == 7
    assert Hosting(host="0.0.0.0", names=["a"], per_address=0).requests_a_second == 0


def test_connections_with_half_sent_headers_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_limits, "LONGEST_HEADERS", 0.3)
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving() as address:
        host_and_port = ("127.0.0.1", int(address.rpartition(":")[2]))
        for sent in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: loc", whole + b"GET / HTTP/1.1\r\nHo"):
            with socket.create_connection(host_and_port, timeout=30) as waiting:
                waiting.sendall(sent)
                heard = b"".join(iter(lambda: waiting.recv(65536), b""))  # to the end of the connection
                assert heard.count(b"200 OK") == sent.count(b"\r\n\r\n")
        with socket.create_connection(host_and_port, timeout=30) as whole_request:
            for _ in range(2):
                whole_request.sendall(whole)
                heard = b""
                while not heard.endswith(b"}") and (part := whole_request.recv(65536)):  # headers and body may be two
                    heard += part
                assert b"200 OK" in heard
                time.sleep(0.5)  # what is complete is not cut off, nor a connection that rests


def test_one_address_has_its_share_of_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_limits, "MOST_CONNECTIONS", 2)

    def refused(address: str, proxies: list[str]) -> bool:
        one = object.__new__(type("Protocol", (BoundedProtocol,), {"proxies": networks_of(proxies)}))
        one.client = (address, 1)
        one.connections = {one, *range_of(address, 2)}  # type: ignore[assignment]
        return one._has_too_many()

    def range_of(address: str, count: int) -> list[Any]:
        return [type("Other", (), {"client": (address, number)})() for number in range(count)]

    assert refused("192.0.2.1", [])
    assert not refused("127.0.0.1", [])
    assert not refused("192.0.2.1", ["192.0.2.0/24"])


# Behind a proxy


def test_the_page_lies_under_a_path_and_answers_nowhere_else() -> None:
    client = TestClient(application(Server(), base_path="/lab/titan"), base_url="http://localhost")
    moved = client.get("/lab/titan", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (307, "/lab/titan/")
    opened = client.get("/lab/titan/")
    assert "path=/lab/titan/" in opened.headers["set-cookie"].lower()
    assert client.get("/lab/titan/app.js").status_code == 200
    assert client.post("/lab/titan/api/progress", json={}).status_code == 200
    assert {client.get(path).status_code for path in ("/", "/app.js", "/titan/")} == {404}


def test_a_whole_page_works_under_a_path(chromium: Any) -> None:
    with serving(hosting=Hosting(base_path="/lab/titan")) as address:
        visited = Visit(chromium, address)
        visited.begin("greedy", "greedy", "greedy", titans=3)
        visited.page.locator("#language").select_option("fr")
        visited.page.get_by_role("button", name="Jeux").wait_for()
        visited.context.close()
        assert visited.faults == []


def test_over_tls_the_cookie_is_secure_as_a_trusted_proxy_says() -> None:
    page = application(Server())
    proxied = ProxyHeadersMiddleware(page, ["192.0.2.9"])  # as uvicorn does with --proxy

    def opened(address: str) -> Any:
        return visiting(proxied, address).get("/", headers={"x-forwarded-proto": "https"}).headers

    assert "secure" in opened("192.0.2.9")["set-cookie"].lower()
    assert "strict-transport-security" in opened("192.0.2.9")
    assert "secure" not in opened("192.0.2.1")["set-cookie"].lower()
    assert "strict-transport-security" not in opened("192.0.2.1")
    assert configured(page, Hosting(proxies=["192.0.2.9"])).forwarded_allow_ips == ["192.0.2.9"]


def test_health_is_told_to_whoever_asks_by_any_name() -> None:
    server = Server()
    client = TestClient(application(server, ["lab.example.org"], "/titan"), base_url="http://10.0.0.7")
    for path in ("/healthz", "/titan/healthz"):
        assert (client.get(path).status_code, client.get(path).json()) == (200, {"status": "ok"})
    assert client.get("/titan/").status_code == 400


def test_health_fails_while_a_process_is_gone() -> None:
    processes = Processes(1)
    assert processes.is_well()
    processes._processes[0]._process.kill()
    processes._processes[0]._process.join()
    client = TestClient(application(processes), base_url="http://localhost")
    assert client.get("/healthz").status_code == 503
    processes.close()


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (["--base-path", "titan"], "expected --base-path as /titan"),
        (["--base-path", "/titan/"], "expected --base-path as /titan"),
        (["--base-path", "/../x y"], "expected --base-path as /titan"),
        (["--proxy", "caddy"], "expected --proxy as an address or a network"),
        (["--per-address", "-1"], "--per-address"),
    ],
)
def test_settings_that_cannot_be_are_refused(typed: list[str], reason: str) -> None:
    ended = CliRunner().invoke(app, ["web", "--keep", "none", *typed])
    assert (ended.exit_code, reason in " ".join(ended.output.split())) == (2, True)


def test_the_access_log_has_a_line_for_each_request_and_no_secret(capfd: pytest.CaptureFixture[str]) -> None:
    with serving(hosting=Hosting(access_log=True)) as address, httpx2.Client(base_url=address) as visitor:
        visitor.get("/")
        assert visitor.post("/api/progress", json={}).status_code == 200
        secret = visitor.cookies["seat"]
    logged = capfd.readouterr().out
    assert re.search(r'^[\d-]+ [\d:,]+ 127\.0\.0\.1:\d+ "POST /api/progress HTTP/1\.1" 200', logged, re.MULTILINE)
    assert secret not in logged


def test_a_proxy_takes_the_warning_away(capsys: pytest.CaptureFixture[str]) -> None:
    assert answered_hosts("0.0.0.0", ["lab.example.org"], ["10.0.0.0/8"]) == ["lab.example.org"]
    assert capsys.readouterr().err == ""


# Containers, which do not run here: their configuration fits the command


def compose() -> Any:
    """The compose file."""
    return yaml.safe_load((HOSTING / "compose.yaml").read_text("utf-8"))


def dockerfile() -> dict[str, list[str]]:
    """The instructions of the Dockerfile, by name, with the usual values of its arguments."""
    text = (HOSTING / "Dockerfile").read_text("utf-8").replace("\\\n", "")
    for name, value in re.findall(r"^ARG (\w+)=(.*)$", text, re.MULTILINE):
        text = text.replace(f"${{{name}}}", value)
    found: dict[str, list[str]] = {}
    for name, rest in re.findall(r"^([A-Z]+) (.*)$", text, re.MULTILINE):
        found.setdefault(name, []).append(rest)
    return found


def test_the_container_runs_a_command_that_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    called: list[Hosting] = []
    monkeypatch.setattr(
        "titan_env.web.hosting.serve.serve", lambda hosting, desk: called.append(hosting) or desk.close()
    )
    entry = json.loads(dockerfile()["ENTRYPOINT"][0])
    typed = [re.sub(r"^\$\{SITE:.*\}$", "lab.example.org", word) for word in compose()["services"]["page"]["command"]]
    assert entry[0] == "titan_env"
    command = [str(tmp_path) if word == "/data" else word for word in [*entry[1:], *typed]]
    command[command.index("--processes") + 1] = "1"
    ended = CliRunner().invoke(app, command)
    assert ended.exit_code == 0, ended.output
    (hosting,) = called
    assert (hosting.names, hosting.port, hosting.access_log) == (["lab.example.org"], 8000, True)


def test_proxy_and_page_find_each_other_and_what_is_kept_is_in_a_volume() -> None:
    page, proxy = (compose()["services"][name] for name in ("page", "proxy"))
    (upstream,) = re.findall(r"reverse_proxy (\S+)", (HOSTING / "Caddyfile").read_text("utf-8"))
    entry = json.loads(dockerfile()["ENTRYPOINT"][0])
    port = entry[entry.index("--port") + 1]
    assert upstream == f"page:{port}"
    assert set(page["networks"]) & set(proxy["networks"]) == {"inside"}
    network = compose()["networks"]["inside"]
    assert network["ipam"]["config"][0]["subnet"] == page["command"][page["command"].index("--proxy") + 1]
    assert "ports" not in page, "nobody goes past the proxy"
    folders = dict(reversed(volume.split(":")[:2]) for volume in page["volumes"])
    assert entry[entry.index("--keep") + 1] in folders
    (cache,) = re.findall(r"TITAN_ENV_CACHE=(\S+)", dockerfile()["ENV"][0])
    assert not any(Path(cache).is_relative_to(folder) for folder in folders), "a volume would hide the compiled rules"
    assert page["mem_limit"]
    assert proxy["mem_limit"]
    named = {volume.partition(":")[0] for one in (page, proxy) for volume in one["volumes"] if volume[0] != "."}
    assert named == set(compose()["volumes"])


def test_the_image_has_what_it_is_built_from_and_runs_as_nobody_in_particular() -> None:
    made = dockerfile()
    assert made["USER"] == ["titan"]
    assert f"http://127.0.0.1:{made['EXPOSE'][0]}/healthz" in made["HEALTHCHECK"][0]
    root = HOSTING.parent
    (install,) = [line for line in made["RUN"] if "pip install" in line]
    assert "--constraint /source/constraints.txt" in install
    ignored = (root / ".dockerignore").read_text("utf-8").split("\n")
    assert all((root / line[1:]).exists() for line in ignored if line.startswith("!"))
    assert "!constraints.txt" in ignored
    built = compose()["services"]["page"]["build"]
    assert (HOSTING / built["context"] / built["dockerfile"]).resolve() == HOSTING / "Dockerfile"


def test_a_server_that_ends_answers_who_waits_for_an_agent_and_keeps_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    server, heard = Server([SLOW]), []
    listening = listen("127.0.0.1", 0)
    hosting = PromptServer(configured(application(server), Hosting()), server)
    thread = threading.Thread(target=hosting.run, args=([listening],))
    thread.start()
    assert within(30, lambda: hosting.started)
    with httpx2.Client(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=60) as visitor:
        visitor.get("/")
        view = visitor.post("/api/begin", json={**RACE, "names": [SLOW] * 3}).json()
        asked = {"id": view["id"], "at": view["at"]}
        waiting = threading.Thread(target=lambda: heard.append(visitor.post("/api/act", json=asked)))
        waiting.start()
        assert within(30, lambda: is_thinking(server))
        hosting.should_exit = True
        thread.join(60)
        waiting.join(60)
    assert not thread.is_alive()
    assert (heard[0].status_code, "was stopped" in heard[0].json()["error"]) == (503, True)
    assert "Traceback" not in capfd.readouterr().err
