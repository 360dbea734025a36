"""One engagement of a war: the talk, the battle, points, the dead, angels, summoning and reinforcement."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.titan_battle.reference_data import in_order, musters, value_of
from tests.titan_battle.reference_questions import Play, ask
from tests.titan_war.reference_battle import WarBattle, summoning
from tests.titan_war.reference_lands import LANDS
from tests.titan_war.reference_legions import Legion
from tests.titan_war.reference_table import FULL, Table


@dataclass
class Outcome:
    """How an engagement ended, before points are counted."""

    losers: list[Legion]
    winner: Legion | None = None
    points: int = 0
    living: list[str] | None = None
    """Who is left of the winning legion; None: everybody."""
    rest: list[str] = field(default_factory=list)
    """Living characters of a legion whose titan was slain."""
    summons: bool = False
    """Whether the winner may summon now."""
    reinforces: bool = False
    """Whether the winner may muster a reinforcement now."""


class Engagement:
    """Two legions on one land; the mover is the attacker."""

    def __init__(self, table: Table, attacker: Legion, defender: Legion) -> None:
        self.table, self.attacker, self.defender = table, attacker, defender
        self.terrain = LANDS[attacker.land].terrain

    def play(self) -> Play:
        """Show both legions, talk, fight if need be, and settle what follows from it."""
        for legion in (self.attacker, self.defender):
            legion.reveal()
            self.table.conclude(legion.owner)
        outcome = yield from self.talk()
        if outcome is None:
            outcome = yield from self.battle()
        yield from self.settle(outcome)
        self.table.supply.update(self.table.returning)
        self.table.returning.clear()

    def other(self, legion: Legion) -> Legion:
        return self.defender if legion is self.attacker else self.attacker

    # The talk

    def talk(self) -> Play:
        """The defender flees, concedes, offers or fights; the attacker answers; an offer of his is answered."""
        concede = ["concede"] if self.table.options["concede"] else []
        offer = ["offer"] if self.table.options["agreements"] else []
        leaving = concede if self.defender.has_lord() else ["flee"]
        first = yield from ask(self.defender.owner, "DEFEND", [*leaving, *offer, "fight"])
        if first == "flee":
            return Outcome([self.defender], self.attacker, self.table.value(self.defender) // 2)
        if first == "concede":
            return self.conceded(self.defender)
        answers = ["agree"] if first == "offer" else offer
        second = yield from ask(self.attacker.owner, "ATTACK", [*concede, *answers, "fight"])
        third = ""
        if second == "offer":
            third = yield from ask(self.defender.owner, "ANSWER", ["agree", *concede, "fight"])
        if "agree" in (second, third):
            return Outcome([self.attacker, self.defender])
        if "concede" in (second, third):
            return self.conceded(self.attacker if second == "concede" else self.defender)
        return None

    def conceded(self, legion: Legion) -> Outcome:
        """Full value to the other; the winning attacker may summon."""
        winner = self.other(legion)
        return Outcome([legion], winner, self.table.value(legion), summons=winner is self.attacker)

    # The battle

    def battle(self) -> Play:
        battle = WarBattle(self.table, self.attacker, self.defender)
        yield from battle.as_seats()
        if battle.result == "concession":
            outcome = self.conceded(battle.legion_of[battle.conceded])
            if battle.conceded == "attacker":
                outcome.reinforces = battle.placed("attacker")
                outcome.living = battle.lived("defender")
            else:
                outcome.living = battle.lived("attacker")
        elif battle.result == "mutual":
            outcome = self.both_fell(battle)
        elif battle.result == "time-loss":
            outcome = Outcome([self.attacker], self.defender, living=battle.lived("defender"), reinforces=True)
        else:
            outcome = self.won(battle)
        if battle.reinforced:
            outcome.reinforces = False
        return outcome

    def won(self, battle: WarBattle) -> Outcome:
        """Every character of the losing legion counts; after its titan's death only those slain so far."""
        side = battle.result
        loser = "defender" if side == "attacker" else "attacker"
        winner, losing = battle.legion_of[side], battle.legion_of[loser]
        points = battle.worth(loser, battle.fell(loser))
        outcome = Outcome([losing], winner, points, battle.lived(side), battle.lived(loser))
        outcome.summons, outcome.reinforces = side == "attacker", side == "defender"
        return outcome

    def both_fell(self, battle: WarBattle) -> Outcome:
        """No points; what is left of a slain titan's legion is set aside."""
        return Outcome([self.attacker, self.defender], rest=battle.lived("attacker") + battle.lived("defender"))

    # What follows

    def settle(self, outcome: Outcome) -> Play:
        """Points; the dead; angels; summoning or reinforcement."""
        table, winner = self.table, outcome.winner
        dead = [legion.owner for legion in outcome.losers if legion.holds["titan"]]
        for legion in outcome.losers:
            table.remove(legion)
        before = after = 0
        if winner:
            self.survive(winner, outcome)
            before = table.scores[winner.owner]
            table.scores[winner.owner] = after = before + outcome.points
        if dead:
            self.bury(dead, outcome.rest)
        if not winner:
            return
        yield from self.angels(winner, before, after)
        if outcome.summons and winner.height < FULL:
            summoned = yield from summoning(table, winner)
            if summoned:
                table.give(summoned[0], winner, summoned[1])
        if outcome.reinforces:
            yield from self.reinforce(winner)

    def survive(self, winner: Legion, outcome: Outcome) -> None:
        """The slain of the winning legion are gone."""
        if outcome.living is not None:
            left = Counter(outcome.living)
            self.table.lose_characters(winner.holds - left)
            winner.holds = left
        winner.reveal()
        self.table.conclude(winner.owner)

    def bury(self, dead: list[int], rest: list[str]) -> None:
        """The legions of dead players are removed for half points; their markers go to the slayer."""
        table = self.table
        for seat in dead:
            table.alive[seat] = False
        for seat in dead:
            table.places[seat] = len(table.living()) + 1
            slayer = next(one.owner for one in (self.attacker, self.defender) if one.owner != seat)
            halves: Counter[int] = Counter()
            if table.alive[slayer]:
                halves[slayer] += value_of(rest)
                table.markers[slayer] += table.markers[seat]
                table.markers[seat] = 0
            for legion in table.of(seat):
                engaged = [enemy.owner for enemy in table.enemies_of(legion) if table.alive[enemy.owner]]
                receiver = [*engaged, *([slayer] if table.alive[slayer] else [])]
                if receiver:
                    halves[receiver[0]] += table.value(legion)
                table.remove(legion)
            for receiver_seat, value in halves.items():
                table.scores[receiver_seat] += value // 2
        table.end_if_decided(dead)

    def angels(self, winner: Legion, before: int, after: int) -> Play:
        """One angel for each multiple of 100 that the score reached or passed, an archangel at 500."""
        for mark in range(before // 100 * 100 + 100, after + 1, 100):
            kind = "archangel" if mark % 500 == 0 and self.table.supply["archangel"] else "angel"
            if winner.height < FULL and self.table.supply[kind]:
                answer = yield from ask(winner.owner, "ANGEL", [f"muster:{kind}", "pass"])
                if answer != "pass":
                    enlist(self.table, winner, kind)

    def reinforce(self, winner: Legion) -> Play:
        """A defender that took no reinforcement in the battle may muster one now."""
        found = musters(winner.kinds, self.terrain, self.table.options["lean"]) if winner.height < FULL else set()
        options = [f"muster:{kind}" for kind in in_order(found) if self.table.supply[kind]]
        answer = yield from ask(winner.owner, "REINFORCE", [*options, "pass"])
        if answer != "pass":
            enlist(self.table, winner, answer.removeprefix("muster:"))


def enlist(table: Table, legion: Legion, kind: str) -> None:
    """A legion gets a character from the supply."""
    table.supply[kind] -= 1
    legion.gain(kind)
    table.conclude(legion.owner)
