"""The same game a second time, written from the rules' texts alone: dumb, readable, and without a line of our rules.

Everything is words, sets and dictionaries. Chance is a list of answers that is used up from the front. What happens in
a decision is written down as well: what, to which seat, and what else there is to say of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import titan_env

LANES = "ABCDEF"
DRAWINGS = Path(titan_env.__path__[0]) / "games" / "tiny_turbo_cars" / "data" / "boards"
MOVES = ["forward_1", "forward_2", "back_1", "left_1", "right_1", "left_2", "right_2", "jump", "missile", "turbo"]
TILES = [*MOVES, "battery", "plus", "minus", "blank"]
CARS = ["dame_liner", "brick_gang", "sonic_fish", "grim_levingo", "m1_lapin", "piou_racer", "dogtor", "turbobot"]
SHEETS = [("living_room", "playroom"), ("kitchen", "bathroom"), ("library", "study"), ("corridor", "bedroom")]
BASE = {"forward_1": 1, "forward_2": 2, "back_1": 1, "left_1": 1, "right_1": 1, "left_2": 2, "right_2": 2}
BASE |= {"jump": 2, "missile": 1}


@dataclass
class Player:
    car: str = ""
    row: int = 0
    lane: int = 0
    batteries: int = 3
    shields: int = 0
    lying: bool = False
    slip: bool = False
    token: int = 0
    slides: int = 0
    asked: bool = False
    place: int = 0
    controller: list[str] = field(default_factory=list)


class Plain:
    """One race."""

    def __init__(
        self,
        chance: list[int],
        players: int = 4,
        length: int = 3,
        slides: int = 30,
        countdown: int = 10,
        line_pushes: bool = False,
        round_limit: int = 20,
        draft: bool = True,
        podium: bool = False,
    ) -> None:
        self.chance = chance
        self.players = [Player() for _ in range(players)]
        self.podium = podium
        self.most_slides, self.countdown, self.lines, self.limit = slides, countdown, line_pushes, round_limit
        self.first = self.draw(players)
        names = [["start_driveway", "start_porch"][self.draw(2)]]
        sheets = list(SHEETS)
        for _ in range(length):
            sheet = sheets.pop(self.draw(len(sheets)))
            names.append(sheet[self.draw(2)])
        names.append(["finish_garden", "finish_terrace"][self.draw(2)])
        self.cells: dict[tuple[int, int], str] = {}
        self.line = 0
        for number, name in enumerate(names):
            self.lay(name, number * 10)
        if not draft:
            left = list(CARS)
            for player in self.players:
                player.car = left.pop(self.draw(len(left)))
        self.round = 0
        self.tick = 0
        self.left: int | None = None
        self.winner: int | None = None
        self.happened: list[tuple[str, int, str | int, str | int]] = []
        self.truncated = False
        self.ask, self.seat = "", 0
        self.prepare()

    def draw(self, sides: int) -> int:
        answer = self.chance.pop(0)
        assert 0 <= answer < sides
        return answer

    def note(self, what: str, player: Player, second: str | int = 0, third: str | int = 0) -> None:
        seat = next(seat for seat, other in enumerate(self.players) if other is player)
        self.happened.append((what, seat, second, third))

    def lay(self, name: str, below: int) -> None:
        row = below + 10
        for text in (DRAWINGS / f"{name}.txt").read_text().splitlines():
            words = text.split()
            if words and words[0].isdigit():
                for lane, symbol in enumerate(words[1:]):
                    self.cells[row, lane] = symbol
                row -= 1
            elif words and set(words[0]) == {"="}:
                self.line = row

    def at(self, row: int, lane: int) -> str:
        if row < 1 or not 0 <= lane < 6:
            return "X"
        return self.cells.get((row, lane), ".")

    def under(self, player: Player) -> str:
        return self.at(player.row, player.lane)

    # Draft and places

    def grid(self) -> list[tuple[int, int]]:
        places = [place for place, symbol in self.cells.items() if symbol == "S"]
        return sorted(places, key=lambda place: (-place[0], place[1]))

    def prepare(self) -> None:
        n = len(self.players)
        clockwise = [(self.first + i) % n for i in range(n)]
        for seat in clockwise:
            if not self.players[seat].car:
                self.ask, self.seat = "car", seat
                return
        for seat in reversed(clockwise):
            if not self.players[seat].row:
                self.ask, self.seat = "place", seat
                return
        self.begin_round()

    # Programming

    def begin_round(self) -> None:
        self.round += 1
        self.tick = 0
        self.left = None
        for player in self.players:
            player.token = player.slides = 0
            player.asked = False
            player.controller = []
        lead = [self.players[(self.first + self.round - 1 + i) % len(self.players)] for i in range(len(self.players))]
        self.note("round", next(player for player in lead if not player.place), self.round)
        self.ask_next()

    def ask_next(self) -> None:
        n = len(self.players)
        while True:
            lead = (self.first + self.round - 1 + self.tick) % n
            for i in range(n):
                player = self.players[(lead + i) % n]
                if not player.token and not player.asked and not player.place:
                    self.ask, self.seat = "program", (lead + i) % n
                    if not player.controller:
                        self.shuffle(player)
                    return
            self.tick += 1
            for player in self.players:
                player.asked = False

    def shuffle(self, player: Player) -> None:
        player.controller = ["forward_1", *TILES, "hole"]
        for i in range(15, 0, -1):
            j = self.draw(i + 1)
            player.controller[i], player.controller[j] = player.controller[j], player.controller[i]

    def pushes(self, player: Player) -> dict[str, list[str]]:
        """Every slide with the controller that it leads to."""
        found = {}
        hole = player.controller.index("hole")
        for direction, stride in (("up", 4), ("down", -4), ("left", 1), ("right", -1)):
            controller, here = list(player.controller), hole
            for count in ("", "2", "3"):
                there = here + stride
                same_line = there // 4 == here // 4 or there % 4 == here % 4
                if not 0 <= there < 16 or not same_line or (count and not self.lines):
                    break
                controller[here], controller[there] = controller[there], "hole"
                here = there
                found[f"push:{direction}{count}"] = list(controller)
        return found

    def done(self, player: Player) -> None:
        others = [other for other in self.racing() if other is not player]
        programming = [other for other in others if not other.token]
        player.token = 1 + len(others) - len(programming) if programming else len(self.players)
        self.note("done", player, player.token, player.slides)
        self.left = self.countdown if len(programming) == 1 else None
        if self.left:
            self.note("countdown", programming[0], self.left)

    def program(self, text: str) -> None:
        player = self.players[self.seat]
        if text == "finish":
            self.done(player)
        else:
            player.controller = self.pushes(player)[text]
            player.slides += 1
            player.asked = True
            if self.left is not None:
                self.left -= 1
            if self.left == 0 or player.slides == self.most_slides:
                self.done(player)
        if all(other.token for other in self.racing()):
            self.ask, self.seat = "drive", self.after(0)[0]
        else:
            self.ask_next()

    def racing(self) -> list[Player]:
        return [player for player in self.players if not player.place]

    def after(self, token: int) -> list[int]:
        """The seats that have not driven yet, in their order, after the one with this token."""
        late = [seat for seat, player in enumerate(self.players) if player.token > token and not player.place]
        return sorted(late, key=lambda seat: self.players[seat].token)

    # Damage

    def pay(self, player: Player, cause: str) -> None:
        if player.shields:
            player.shields -= 1
            self.note("shielded", player, player.shields, cause)
        elif player.batteries:
            player.batteries -= 1
            self.note("lost", player, player.batteries, cause)
            if player.batteries == 0 and not player.lying:
                player.lying = True
                self.note("lay_down", player)

    def damage(self, player: Player, cause: str) -> None:
        if not player.lying and self.under(player) != "S":
            self.pay(player, cause)

    def charge(self, player: Player, batteries: int) -> None:
        before = player.batteries
        player.batteries = min(3, player.batteries + batteries)
        if player.batteries > before:
            self.note("charged", player, player.batteries)

    # The race

    def drive(self) -> None:
        player = self.players[self.seat]
        self.note("drove", player, player.token)
        if player.token == len(self.players):
            self.pay(player, "penalty")
        modifier = 0
        for tile in player.controller[4:12]:
            modifier = self.command(player, tile, modifier)
        self.after_commands(player)

    def after_commands(self, player: Player) -> None:
        if player.car == "piou_racer" and not player.lying and self.flights(player):
            self.ask = "fly"
        else:
            self.shields(player)

    def command(self, player: Player, tile: str, m: int) -> int:
        if player.lying:
            self.note("ignored", player, tile)
            self.charge(player, 1)
            if player.batteries == 3:
                player.lying = False
                self.note("stood_up", player)
            return 0
        plus = 2 if player.car == "dame_liner" else 1
        boost = plus if self.under(player) == "b" else 0
        if tile in ("plus", "minus", "blank", "hole"):
            self.note("command", player, tile)
        if tile == "plus":
            return m + boost + plus
        if tile == "minus":
            return m + boost - 1
        if tile == "battery" and not (player.car == "dogtor" and player.batteries == 3):
            charges = max(0, (2 if player.car == "dogtor" else 1) + m + boost)
            self.note("command", player, tile, charges)
            self.charge(player, charges)
        elif tile not in ("blank", "hole"):
            self.move(player, tile, m + boost)
        return 0

    def move(self, player: Player, tile: str, more: int) -> None:
        begun = self.under(player)
        if tile == "back_1" and begun == "S":
            self.note("ignored", player, tile)
            return
        if begun in "cg":
            value = 2 if player.car == "brick_gang" else 1
        elif tile == "turbo":
            value = 4 if player.car == "turbobot" else player.batteries
        elif tile == "battery":
            value = 2
        else:
            value = BASE[tile]
        value += more
        side = {"left": -1, "right": 1}.get(tile.split("_")[0], 0)
        if side and player.slip:
            side = -side
            value += player.car == "sonic_fish"
        value = max(0, value)
        self.note("command", player, tile, value)
        if begun == "w":
            self.slide_on(player)
        if tile == "missile":
            self.missile(player)
        if tile == "jump" and value >= 2:
            hurt = self.leap(player, value)
        else:
            hurt = self.cells_on(player, value, -1 if tile == "back_1" else 1, side)
        if hurt:
            if player.car == "grim_levingo" and value == 1 and not side:
                return
            self.damage(player, hurt)
            if player.car == "turbobot" and tile == "turbo":
                self.damage(player, hurt)

    def slide_on(self, player: Player) -> None:
        if not player.slip:
            player.slip = True
            self.note("slipping", player, player.row, player.lane)

    def cells_on(self, player: Player, cells: int, rows: int, side: int) -> str:
        """Drive cell by cell; what ends the movement early, if anything does."""
        for _ in range(cells):
            row, lane = player.row + rows, player.lane + side
            if self.at(row, lane) == "X":
                self.note("blocked", player, row, lane)
                return "impassable"
            self.put(player, row, lane)
            if hurt := self.bump(player):
                return hurt
        return ""

    def put(self, player: Player, row: int, lane: int) -> None:
        before = player.row
        player.row, player.lane = row, lane
        self.note("moved", player, row, lane)
        if before <= self.line < row:
            self.note("crossed", player, row)
        if self.under(player) == "w":
            self.slide_on(player)

    def bump(self, player: Player) -> str:
        """What ends the movement on a cell that has been entered, if anything does."""
        here = [
            s for s, o in enumerate(self.players) if o is not player and (o.row, o.lane) == (player.row, player.lane)
        ]
        hurt = "obstacle" if self.under(player) == "o" else "car" if here else ""
        if hurt:
            self.note("bumped", player, here[0] if here else -1)
        return hurt

    def shared(self, player: Player, row: int, lane: int) -> bool:
        return any(o is not player and (o.row, o.lane) == (row, lane) for o in self.players)

    def leap(self, player: Player, cells: int) -> str:
        target = player.row + cells
        if self.at(target, player.lane) != "X":
            self.put(player, target, player.lane)
            return self.bump(player)
        self.note("blocked", player, target, player.lane)
        while self.at(target, player.lane) == "X":
            target -= 1
        if target != player.row:
            self.put(player, target, player.lane)
        return "impassable"

    def missile(self, player: Player) -> None:
        touched = []
        for other in self.players:
            if other is player or other.place or (other.row, other.lane) == (player.row, player.lane):
                continue
            ahead = other.lane == player.lane and other.row > player.row
            cross = other.lane == player.lane or other.row == player.row
            if ahead or (cross and player.car == "m1_lapin"):
                touched.append(other)
        self.note("fired", player, len(touched))
        for other in touched:
            self.note("hit", other, self.seat)
            self.damage(other, "missile")
        if touched and player.car == "m1_lapin":
            player.shields += 1
            self.note("gained", player, 1, "missile")

    def flights(self, player: Player) -> dict[str, int]:
        found = {}
        for name, side in (("fly:left", -1), ("fly:right", 1)):
            lane = player.lane + side
            while 0 <= lane < 6:
                if self.at(player.row, lane) == "." and not self.shared(player, player.row, lane):
                    found[name] = lane
                    break
                lane += side
        return found

    def shields(self, player: Player) -> None:
        if player.shields and not player.lying:
            self.ask = "shield"
        else:
            self.end_turn(player)

    def end_turn(self, player: Player) -> None:
        player.slip = False
        player.shields = 0
        if self.after(player.token):
            self.ask, self.seat = "drive", self.after(player.token)[0]
        else:
            self.end_round()

    def order(self) -> list[int]:
        """The seats that are in the race, from the first to the last."""
        racing = [seat for seat, player in enumerate(self.players) if not player.place]
        return sorted(racing, key=lambda s: (-self.players[s].row, self.players[s].token))

    def end_round(self) -> None:
        order = self.order()
        finished = [seat for seat in order if self.players[seat].row > self.line]
        if self.podium and finished:
            self.climb(order if len(order) - len(finished) < 2 else finished)
            if not self.racing():
                self.ask = ""
                return
            for seat in finished:
                player = self.players[seat]
                player.row = player.lane = player.token = 0
                player.controller = []
            order = self.order()
        elif finished:
            self.winner = order[0]
            self.note("won", self.players[order[0]], self.players[order[0]].row - self.line)
            self.ask = ""
            return
        if self.round == self.limit:
            self.truncated = True
            self.ask = ""
        else:
            for before, seat in enumerate(order):
                self.players[seat].shields = before
            for player in self.players:
                if player.shields and not player.place:
                    self.note("gained", player, player.shields, "position")
            self.begin_round()

    def climb(self, seats: list[int]) -> None:
        """These seats take the next places in this order."""
        gone = len(self.players) - len(self.racing())
        for place, seat in enumerate(seats, gone + 1):
            self.players[seat].place = place
        for seat in sorted(seats):
            player = self.players[seat]
            if player.place == 1:
                self.winner = seat
                self.note("won", player, player.row - self.line)
            else:
                self.note("ranked", player, player.place)

    # What may be played

    def legal(self) -> set[str]:
        player = self.players[self.seat]
        if self.ask == "program":
            return {"finish", *self.pushes(player)}
        if self.ask == "car":
            return {f"car:{car}" for car in CARS if car not in [other.car for other in self.players]}
        if self.ask == "place":
            free = [not self.shared(player, *place) for place in self.grid()]
            return {f"place:{number}" for number, is_free in enumerate(free, 1) if is_free}
        if self.ask == "fly":
            return {"fly:stay", *self.flights(player)}
        return {"drive": {"drive"}, "shield": {"shield:spend", "shield:stop"}, "": set()}[self.ask]

    def play(self, text: str) -> None:
        player = self.players[self.seat]
        self.happened = []
        if self.ask == "program":
            self.program(text)
        elif self.ask == "car":
            player.car = text.split(":")[1]
            self.note("chose", player, player.car)
            self.prepare()
        elif self.ask == "place":
            player.row, player.lane = self.grid()[int(text.split(":")[1]) - 1]
            self.note("placed", player, player.row, player.lane)
            self.prepare()
        elif self.ask == "drive":
            self.drive()
        elif self.ask == "fly":
            if text != "fly:stay":
                player.lane = self.flights(player)[text]
                self.note("flew", player, player.row, player.lane)
            self.shields(player)
        elif text == "shield:stop":
            self.end_turn(player)
        else:
            player.shields -= 1
            self.note("spent", player, player.shields)
            if hurt := self.cells_on(player, 2, 1, 0):
                self.damage(player, hurt)
            self.shields(player)
        assert not self.chance, "all answers of chance are used"
