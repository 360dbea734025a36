"""The look of Titan Race as a value: its picture, setup form and colours."""

from __future__ import annotations

from titan_env.contract import Presentation
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.titan_race.picture.picture import picture
from titan_env.games.titan_race.picture.setup_form import setup_form
from titan_env.games.titan_race.rules.state import Event
from titan_env.games.titan_race.words.first_game import first_game
from titan_env.games.titan_race.words.position_editor import edit_position
from titan_env.games.titan_race.words.presentation import OPTION_VALUES, own_panel, seat_names

PRESENTATION = Presentation(
    picture=picture,
    part_events=(Event.PUSHED, Event.SLID, Event.TRAP_SPRUNG, Event.PIRATES, Event.BLAST, Event.SWAPPED),
    option_values=OPTION_VALUES,
    edit_position=edit_position,
    edit_keys=EditKeys(places=("space",)),
    setup_form=setup_form,
    first_game=first_game,
    color=("#6b2fa0", "#cda8f5"),
    seat_names=seat_names,
    own_panel=own_panel,
)
