"""Fantasy Racing once more, dumb and slow, from the rules' texts alone: nothing of the package's rules is used.

Rules are generators: what needs a decision yields ``(seat, [texts])`` and is sent one of the texts. Chance is a
queue of answers that somebody fills.
"""

from __future__ import annotations

import tomllib
from collections import deque
from collections.abc import Generator
from pathlib import Path
from typing import Any

import titan_env

Question = tuple[int, list[str]]
Play = Generator[Question, str, Any]
Square = tuple[int, int]
"""Row from 0 on, column from 0 on."""

DATA = Path(titan_env.__file__).parent / "games" / "fantasy_racing" / "data"


def data(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


CHARACTERS, RULES, OBJECTS, DICE = data("characters"), data("rules"), data("objects"), data("dice")
COLOURS = OBJECTS.pop("levels")
STANDING = OBJECTS.pop("standing")
NAMES = list(CHARACTERS)
CIRCUITS = ["goblin_meadow", "toll_road", "sieve", "stonefall", "wizards_folly", "gauntlet"]
LYING = {"$": "coin", "*": "clover", "+": "shield"}


class Racer:
    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.name = ""
        self.rules: set[str] = set()
        self.square: Square = (0, 0)
        self.points = self.laps = self.highest = 0
        self.objects = dict.fromkeys(OBJECTS, 0)
        self.protected = True
        self.poisoned = False


class Race:
    def __init__(
        self, players: int = 6, rounds: int = 10, circuit: str = "random", characters: str | list[str] = "deal"
    ) -> None:
        self.racers = [Racer(seat) for seat in range(len(characters) if isinstance(characters, list) else players)]
        self.rounds, self.circuit, self.characters = rounds, circuit, characters
        self.answers: deque[int] = deque()
        self.board: dict[Square, str] = {}
        self.gone: set[Square] = set()
        self.traps: dict[Square, Racer] = {}
        self.order: list[Racer] = []
        self.turn = self.racers[0]
        self.free_flip = False
        self.arrivals = 0
        self.over = False

    # Chance and questions

    def die(self, sides: int) -> int:
        return self.answers.popleft() % sides + 1

    def ask(self, racer: Racer, options: list[str]) -> Play:
        if len(options) == 1:
            return options[0]
        return (yield racer.seat, options)

    # The board

    def blocked(self, square: Square) -> bool:
        return self.board[square] == "^" or (self.board[square] == "=" and square not in self.gone)

    def others(self, racer: Racer, square: Square) -> list[Racer]:
        """Opponents there that are not protected, the first of them first."""
        found = [other for other in self.order if other.square == square and other is not racer and not other.protected]
        return sorted(found, key=lambda other: -other.points)

    def away(self, square: Square, rows: int, columns: int) -> Square:
        return (square[0] + rows) % 18, (square[1] + columns) % 7

    # The race

    def play(self) -> Play:
        if self.circuit == "random":
            self.circuit = CIRCUITS[self.die(6) - 1]
        starts = self.lay((DATA / "circuits" / f"{self.circuit}.txt").read_text("utf-8"))
        left = list(self.racers)
        while left:
            self.order.append(left.pop(self.die(len(left)) - 1))
        for number, racer in enumerate(self.order, 1):
            racer.square = starts[str(number)]
        names = list(NAMES)
        for racer in self.racers:
            if isinstance(self.characters, list):
                self.become(racer, self.characters[racer.seat])
            elif self.characters == "deal":
                self.become(racer, names.pop(self.die(len(names)) - 1))
        if self.characters == "choose":
            for racer in self.order:
                choice = yield from self.ask(racer, [f"choose:{name}" for name in names])
                names.remove(choice[7:])
                self.become(racer, choice[7:])
        for racer in self.order:
            if racer.name == "human":
                rules = [f"rule:{rule}" for rule, entry in RULES.items() if entry["choice"]]
                racer.rules = {(yield from self.ask(racer, rules))[5:]}
        for number in range(1, self.rounds + 1):
            if number > 1:
                self.order.sort(key=lambda racer: racer.points)
            if number in (4, 7, 10, 13):
                self.gone = {square for square in self.gone if self.board[square] == "="}
            for racer in list(self.order):
                yield from self.take_turn(racer)
        self.over = True
        return None

    def lay(self, text: str) -> dict[str, Square]:
        starts = {}
        for row, line in enumerate(line for line in text.splitlines() if "|" in line):
            for column, symbol in enumerate(line.split("|")[1].split()):
                if symbol in "123456":
                    starts[symbol], symbol = (row, column), "."
                self.board[row, column] = symbol
        return starts

    def become(self, racer: Racer, name: str) -> None:
        racer.name, racer.rules = name, set(CHARACTERS[name]["rules"])

    # A turn

    def take_turn(self, racer: Racer) -> Play:
        racer.protected = False
        self.turn, self.free_flip, self.arrivals = racer, "defusing" in racer.rules, 0
        yield from self.move(racer)
        yield from self.skid(racer)
        yield from self.act(racer)
        if "plague" in racer.rules:
            around = {self.away(racer.square, rows, columns) for rows in (-1, 0, 1) for columns in (-1, 0, 1)}
            victims = [v for v in self.order if v is not racer and not v.protected and v.square in around]
            for victim in victims:
                yield from self.drive_back(racer, victim, 1)

    def move(self, racer: Racer) -> Play:
        dice = [(self.die(6), 7)]
        if racer.poisoned:
            racer.poisoned = False
        else:
            dice.append((self.die(6), 7))
            if "fast" in racer.rules:
                dice.append((DICE["fast"]["faces"][self.die(4) - 1], 7))
        squares: dict[int, str] = {}
        for number, (face, _) in enumerate(dice, 1):
            squares.setdefault(face, f"die:{number}")
        if self.flips(racer):
            for number, (face, total) in enumerate(dice, 1):
                squares.setdefault(total - face, f"flip:{number}")
        choice = yield from self.ask(racer, list(squares.values()))
        if choice.startswith("flip"):
            self.pay_flip(racer)
        yield from self.walk(racer, next(count for count, text in squares.items() if text == choice))

    def skid(self, racer: Racer) -> Play:
        ways = {"skid:stay": (0, 0)}
        for letter, side in (("L", -1), ("R", 1)):
            for count in (1, 2):
                path = [self.away(racer.square, -step, side * step) for step in range(1, count + 1)]
                if not any(self.blocked(square) for square in path):
                    ways[f"skid:{letter}{count}"] = (side, count)
        side, count = ways[(yield from self.ask(racer, list(ways)))]
        for step in range(count):
            if step > 0 and racer.square in self.traps:
                break
            self.travel(racer, -1, side)
            yield from self.enter(racer)
        if count:
            yield from self.arrive(racer, True)

    def act(self, racer: Racer) -> Play:
        main = coins = special = False
        while True:
            free = not self.blocked(self.away(racer.square, 1, 0))
            options = ["end" if main else "rest"]
            if not main:
                options += ["advance"] if free else []
                options += [f"use:{name}" for name in list(OBJECTS)[:7] if self.may_use(racer, name, free)]
            if not coins and free:
                options += [f"coins:{count}" for count in range(1, min(5, racer.objects["coin"]) + 1)]
            if not special:
                names = ("bite", "fire_wand", "teleport_wand", "theft")
                options += [name for name in names if name in racer.rules and self.targets(racer, name)]
            choice = yield from self.ask(racer, options)
            if choice in ("rest", "end"):
                return
            if choice == "advance":
                main = True
                yield from self.walk(racer, CHARACTERS[racer.name]["speed"])
            elif choice.startswith("coins"):
                coins, count = True, int(choice[6:])
                racer.objects["coin"] -= count
                yield from self.walk(racer, sum(range(count + 1)))
            elif choice.startswith("use"):
                main = True
                racer.objects[choice[4:]] -= 1
                yield from self.use(racer, choice[4:])
            else:
                special = True
                yield from self.aim(racer, choice)

    # Moving

    def travel(self, racer: Racer, rows: int, columns: int) -> None:
        row = racer.square[0] + rows
        racer.square = self.away(racer.square, rows, columns)
        racer.points += rows
        if row > 17:
            racer.laps += 1
            if racer.laps > racer.highest:
                racer.highest = racer.laps
                racer.points += 10
        elif row < 0:
            racer.laps -= 1

    def gain(self, racer: Racer, name: str) -> None:
        racer.objects[name] = min(9, racer.objects[name] + 1)

    def enter(self, racer: Racer) -> Play:
        square = racer.square
        printed = self.board[square]
        if printed in "$*+?" and square not in self.gone:
            self.gone.add(square)
            if printed == "?":
                yield from self.open_chest(racer)
            else:
                self.gain(racer, LYING[printed])
        if "defusing" in racer.rules and square in self.traps:
            del self.traps[square]
            self.gain(racer, "trap")
            racer.points += 1

    def walk(self, racer: Racer, left: int) -> Play:
        walked = 0
        while left > 0 and not self.blocked(self.away(racer.square, 1, 0)):
            self.travel(racer, 1, 0)
            yield from self.enter(racer)
            walked, left = walked + 1, left - 1
            here = self.board[racer.square]
            if racer.square in self.traps:
                break
            if here == "O" and left and walked - 1 < 2:
                left = 1
            elif here == "@" and left:
                if (yield from self.ask(racer, ["stop", "pass"])) == "stop":
                    break
        if walked:
            yield from self.arrive(racer, True)

    def leap(self, racer: Racer, rows: int, columns: int) -> Play:
        self.travel(racer, rows, columns)
        yield from self.enter(racer)
        yield from self.arrive(racer, True)

    def knock(self, racer: Racer, rows: int, columns: int) -> Play:
        self.travel(racer, -rows, columns)
        yield from self.enter(racer)
        yield from self.arrive(racer, False)

    def recoil_to(self, racer: Racer, rows: int, columns: int) -> tuple[int, int] | None:
        """Rows and columns that the racer recoils in the end; None: it does not move."""
        for row in range(1, rows + 1):
            if self.blocked(self.away(racer.square, -row, columns)):
                if row > 1:
                    return row - 1, columns
                if columns == 0 or self.blocked(self.away(racer.square, 0, columns)):
                    return None
                return 0, columns
        return rows, columns

    def drive_back(self, by: Racer, victim: Racer, rows: int) -> Play:
        landing = self.recoil_to(victim, rows, 0)
        if landing:
            by.points += 2
            yield from self.knock(victim, *landing)

    # Arriving

    def arrive(self, racer: Racer, mover: bool) -> Play:
        self.arrivals += 1
        if self.arrivals > 20:
            return
        if racer.square in self.traps:
            owner = self.traps.pop(racer.square)
            if (yield from self.shock(racer, None if owner is racer else owner, "big")):
                return
        square = racer.square
        here = self.board[square]
        if self.blocked(square):
            if here == "=":
                self.gone.add(square)
            yield from self.shock(racer, None, "small", shieldable=here == "=")
        elif here == "O":
            racer.points -= 2
            yield from self.knock(racer, 1, 0)
        elif here == "@":
            rows = DICE["shortcut"]["rows"]
            face = yield from self.roll_one(racer, 10, lambda a, b: True)
            yield from self.leap(racer, rows[face - 1], 0)
        elif others := self.others(racer, square):
            initiative = "initiative" in others[0].rules and "initiative" not in racer.rules
            if not mover or initiative:
                yield from self.fight(others[0], racer)
            else:
                yield from self.fight(racer, others[0])

    # Fights and shocks

    def fight(self, attacker: Racer, defender: Racer) -> Play:
        value, crushing = CHARACTERS[attacker.name]["fight"], DICE["fight"]["crushing"][NAMES.index(attacker.name)]

        def outcome(face: int) -> str:
            return "defeat" if face <= 100 - value else "crushing" if face > 100 - crushing else "simple"

        face = yield from self.roll_one(attacker, 100, lambda a, b: outcome(a) != outcome(b))
        winner, loser = (defender, attacker) if outcome(face) == "defeat" else (attacker, defender)
        winner.points += 3 + 2 * ("brute" in winner.rules)
        if "poison" in winner.rules:
            winner.points += 3
            loser.poisoned = True
        yield from self.shock(loser, winner, "big" if outcome(face) == "crushing" else "small")
        sides = {"shift:stay": 0, "shift:L": -1, "shift:R": 1}
        free = {side for side in (-1, 0, 1) if side == 0 or not self.blocked(self.away(winner.square, 0, side))}
        side = sides[(yield from self.ask(winner, [text for text in sides if sides[text] in free]))]
        if side:
            yield from self.leap(winner, 0, side)

    def shock(self, victim: Racer, by: Racer | None, size: str, shieldable: bool = True) -> Play:
        """A shock; whether the victim has moved."""
        if shieldable and victim.objects["shield"]:
            if (yield from self.ask(victim, ["shield", "suffer"])) == "shield":
                victim.objects["shield"] -= 1
                victim.points -= 2
                return False
        if by:
            by.points += 1 if size == "small" else 2
        landings = DICE[f"{size}_shock"]["landings"]

        def to(face: int) -> tuple[int, int] | None:
            return self.recoil_to(victim, *landings[face - 1])

        face = yield from self.roll_one(victim, len(landings), lambda a, b: to(a) != to(b))
        landing = to(face)
        if landing is None:
            return False
        yield from self.knock(victim, *landing)
        return True

    # Clovers

    def flips(self, racer: Racer) -> int:
        return racer.objects["clover"] + (self.free_flip and racer is self.turn)

    def pay_flip(self, racer: Racer) -> None:
        if self.free_flip and racer is self.turn:
            self.free_flip = False
        else:
            racer.objects["clover"] -= 1

    def roll_one(self, racer: Racer, sides: int, differs: Any) -> Play:
        face = self.die(sides)
        if self.flips(racer) and differs(face, sides + 1 - face):
            if (yield from self.ask(racer, ["flip:1", "keep"])) != "keep":
                self.pay_flip(racer)
                return sides + 1 - face
        return face

    def roll_two(self, racer: Racer, sides: int, added: bool) -> Play:
        first, second = self.die(sides), self.die(sides)
        ways = {"keep": (first, second), "flip:1": (sides + 1 - first, second), "flip:2": (first, sides + 1 - second)}
        ways["flip:both"] = (ways["flip:1"][0], ways["flip:2"][1])
        options = ["keep"]
        if self.flips(racer) and ways["flip:1"] != (first, second):
            options.append("flip:1")
        if self.flips(racer) and ways["flip:2"] != (first, second) and not (added and first == second):
            options.append("flip:2")
        if self.flips(racer) > 1 and ways["flip:1"][0] != first and ways["flip:2"][1] != second:
            if not (added and sum(ways["flip:both"]) == first + second):
                options.append("flip:both")
        choice = yield from self.ask(racer, options)
        for _ in range({"keep": 0, "flip:both": 2}.get(choice, 1)):
            self.pay_flip(racer)
        return ways[choice]

    # Chests

    def open_chest(self, racer: Racer) -> Play:
        more = sum(other.points > racer.points for other in self.racers)
        equal = sum(other.points == racer.points for other in self.racers) - 1
        colour = COLOURS.index(STANDING[str(len(self.racers))][more + equal // 2])
        face = self.die(100)
        weights = [(name, entry["weights"][colour]) for name, entry in OBJECTS.items()]
        name = [name for name, weight in weights for _ in range(weight)][face - 1]
        other = OBJECTS[name][CHARACTERS[racer.name]["alternative"].replace("-", "_")]
        if self.flips(racer) and (yield from self.ask(racer, ["flip:1", "keep"])) == "flip:1":
            self.pay_flip(racer)
            name = other
        self.gain(racer, name)

    # Objects and specials

    def may_use(self, racer: Racer, name: str, free: bool) -> bool:
        if not racer.objects[name]:
            return False
        if name == "fire_ring":
            return any(not other.protected for other in self.racers if other is not racer)
        if name == "lightning_ring":
            return bool(self.struck(racer))
        return free if name in ("bottle", "syringe") else bool(self.targets(racer, name))

    def struck(self, racer: Racer) -> list[Racer]:
        open_to_it = [other for other in self.order if other is not racer and not other.protected]
        return [other for other in open_to_it if other.points >= racer.points]

    def use(self, racer: Racer, name: str) -> Play:
        if name == "fire_ring":
            yield from self.throw_fire(racer)
        elif name == "lightning_ring":
            first, second = yield from self.roll_two(racer, 3, added=False)
            best = max(other.points for other in self.racers)
            victims = [(v, first + second if v.points == best else first) for v in self.struck(racer)]
            for victim, rows in victims:
                yield from self.drive_back(racer, victim, rows)
        elif name in ("bottle", "syringe"):
            most = sum((yield from self.roll_two(racer, 3, added=True))) + 2 * (name == "syringe")
            free = 0
            while free < most and not self.blocked(self.away(racer.square, free + 1, 0)):
                free += 1
            choice = yield from self.ask(racer, [f"go:{squares}" for squares in range(1, free + 1)])
            yield from self.walk(racer, int(choice[3:]))
        else:
            yield from self.aim(racer, name)

    def targets(self, racer: Racer, name: str) -> list[str]:
        places = [(rows, columns) for rows in range(-6, 7) for columns in range(-3, 4)]
        return [f"at:{rows:+d},{columns:+d}" for rows, columns in places if self.may_aim(racer, name, rows, columns)]

    def may_aim(self, racer: Racer, name: str, rows: int, columns: int) -> bool:
        square = self.away(racer.square, rows, columns)
        others = self.others(racer, square)
        far = max(abs(rows), abs(columns))
        barrier = self.board[square] == "=" and square not in self.gone
        target = bool(others) or square in self.traps or barrier
        if name == "axe":
            return target and square in self.axe_reach(racer.square)
        if name == "spear":
            step = 1 if rows > 0 else -1
            path = [self.away(racer.square, row, 0) for row in range(step, rows + step, step)] if rows else []
            return target and columns == 0 and not any(self.board[passed] == "^" for passed in path)
        if name == "trap":
            plain = self.board[square] not in "^O@" and not barrier and square not in self.traps
            empty = not any(other.square == square for other in self.racers)
            return plain and far > 0 and ((empty and abs(rows) <= 4) or (bool(others) and far <= 2))
        if name == "bite":
            return bool(others) and far <= 1
        if name == "fire_wand":
            straight = columns == 0 and abs(rows) <= 4
            aside = far <= 3 and (rows == 0 or abs(rows) == abs(columns))
            return target and (straight or aside)
        if name == "teleport_wand":
            empty = not any(other.square == square for other in self.racers)
            return rows == 0 and abs(columns) in (1, 2) and empty and not self.blocked(square)
        return far <= 2 and any(sum(other.objects.values()) for other in others)

    def axe_reach(self, start: Square) -> set[Square]:
        reached = {start}
        for _ in range(5):
            steps = {self.away(square, r, c) for square in reached for r in (-1, 0, 1) for c in (-1, 0, 1)}
            reached |= {square for square in steps if self.board[square] != "^"}
        return reached

    def aim(self, racer: Racer, name: str) -> Play:
        choice = yield from self.ask(racer, self.targets(racer, name))
        rows, columns = map(int, choice[3:].split(","))
        square = self.away(racer.square, rows, columns)
        others = self.others(racer, square)
        if name == "teleport_wand":
            yield from self.leap(racer, 0, columns)
        elif name == "theft":
            yield from self.steal(racer, next(other for other in others if sum(other.objects.values())))
        elif name == "trap" and not others:
            self.traps[square] = racer
        elif name == "trap" and "defusing" in others[0].rules:
            self.gain(others[0], "trap")
            others[0].points += 1
        elif others:
            yield from self.shock(others[0], racer, "big" if name in ("spear", "trap") else "small")
        elif square in self.traps:
            del self.traps[square]
        else:
            self.gone.add(square)

    def steal(self, racer: Racer, victim: Racer) -> Play:
        face = yield from self.roll_one(racer, 100, lambda a, b: (a > 40) != (b > 40))
        if face > 40:
            held = [name for name, count in victim.objects.items() for _ in range(count)]
            name = held[self.die(len(held)) - 1]
            victim.objects[name] -= 1
            self.gain(racer, name)
            racer.points += 1

    def throw_fire(self, racer: Racer) -> Play:
        left = 10 + sum((yield from self.roll_two(racer, 10, added=True)))
        ball, path, straight, aside = racer.square, [], "", ""
        rows = run = 0
        while left:
            options = ["release"] if path else []
            if rows < 17:
                options += [f"fire:{way}" for way in "FB" if straight in ("", way)]
            if run < 6:
                options += [f"fire:{way}" for way in "LR" if aside in ("", way)]
            choice = yield from self.ask(racer, options)
            if choice == "release":
                break
            way = choice[5]
            if way in "FB":
                straight, aside, rows, run = way, "", rows + 1, 0
            else:
                aside, run = way, run + 1
            ball = self.away(ball, {"F": 1, "B": -1}.get(way, 0), {"L": -1, "R": 1}.get(way, 0))
            path.append(ball)
            left -= 1
            self.traps.pop(ball, None)
            if self.board[ball] == "=":
                self.gone.add(ball)
        victims = [v for v in self.order if v is not racer and not v.protected and v.square in path]
        target = next(iter(self.others(racer, ball)), None)
        for victim in victims:
            if victim is not target:
                yield from self.shock(victim, racer, "small")
        if target:
            yield from self.shock(target, racer, "big")
