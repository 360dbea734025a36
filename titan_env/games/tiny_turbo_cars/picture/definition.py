"""The look of Tiny Turbo Cars as a value: its picture, setup form and colours."""

from __future__ import annotations

from titan_env.contract import Presentation
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.tiny_turbo_cars.picture.picture import picture
from titan_env.games.tiny_turbo_cars.picture.setup_form import setup_form
from titan_env.games.tiny_turbo_cars.words.first_game import first_game
from titan_env.games.tiny_turbo_cars.words.position_editor import edit_position
from titan_env.games.tiny_turbo_cars.words.presentation import OPTION_VALUES, own_panel, part_events, seat_names

PRESENTATION = Presentation(
    picture=picture,
    part_events=part_events,
    option_values=OPTION_VALUES,
    edit_position=edit_position,
    edit_keys=EditKeys(moved=("car",), places=("cell",), turned=("battery",)),
    setup_form=setup_form,
    first_game=first_game,
    color=("#a8430b", "#ffb27a"),
    seat_names=seat_names,
    own_panel=own_panel,
)
