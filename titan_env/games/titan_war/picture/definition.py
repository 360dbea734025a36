"""The look of Titan: war as a value: its picture, setup form and colours."""

from __future__ import annotations

from titan_env.contract import Presentation
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.titan_war.picture.picture import picture
from titan_env.games.titan_war.picture.setup_form import setup_form
from titan_env.games.titan_war.picture.tray import tray
from titan_env.games.titan_war.words.deeds import handovers, reminders, turn_title
from titan_env.games.titan_war.words.dice import dice
from titan_env.games.titan_war.words.first_game import first_game
from titan_env.games.titan_war.words.position_editor import edit_position
from titan_env.games.titan_war.words.presentation import OPTION_VALUES, own_panel

PRESENTATION = Presentation(
    picture=picture,
    option_values=OPTION_VALUES,
    edit_position=edit_position,
    edit_keys=EditKeys(moved=("held", "marker", "row"), places=("marker", "row", "land"), turned=()),
    tray=tray,
    setup_form=setup_form,
    first_game=first_game,
    color=("#86294f", "#f0a6c4"),
    own_panel=own_panel,
    handovers=handovers,
    reminders=reminders,
    dice=dice,
    turn_title=turn_title,
)
