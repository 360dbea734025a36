"""The look of Titan: battle as a value: its picture, setup form and colours."""

from __future__ import annotations

from titan_env.contract import Presentation
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.titan_battle.picture.picture import picture
from titan_env.games.titan_battle.picture.setup_form import setup_form
from titan_env.games.titan_battle.picture.tray import tray
from titan_env.games.titan_battle.rules.state import Event
from titan_env.games.titan_battle.words.dice import dice
from titan_env.games.titan_battle.words.first_game import first_game
from titan_env.games.titan_battle.words.position_editor import edit_position
from titan_env.games.titan_battle.words.presentation import OPTION_VALUES, own_panel, seat_names

PRESENTATION = Presentation(
    picture=picture,
    part_events=(Event.DICE, Event.SLAIN, Event.FROZEN),
    option_values=OPTION_VALUES,
    edit_position=edit_position,
    edit_keys=EditKeys(moved=("piece",), places=("hex", "outside"), turned=("life",)),
    tray=tray,
    setup_form=setup_form,
    first_game=first_game,
    color=("#7a5200", "#e3bd68"),
    seat_names=seat_names,
    own_panel=own_panel,
    dice=dice,
)
