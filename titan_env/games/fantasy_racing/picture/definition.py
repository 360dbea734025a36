"""The look of Fantasy Racing as a value: its picture, setup form and colours."""

from __future__ import annotations

from titan_env.contract import Presentation
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.fantasy_racing.picture.picture import picture
from titan_env.games.fantasy_racing.picture.setup_form import setup_form
from titan_env.games.fantasy_racing.words.first_game import first_game
from titan_env.games.fantasy_racing.words.position_editor import edit_position
from titan_env.games.fantasy_racing.words.presentation import OPTION_VALUES, own_panel, part_events, seat_names

PRESENTATION = Presentation(
    picture=picture,
    part_events=part_events,
    option_values=OPTION_VALUES,
    edit_position=edit_position,
    edit_keys=EditKeys(moved=("piece", "token", "trap"), places=("square",), turned=()),
    setup_form=setup_form,
    first_game=first_game,
    color=("#17693a", "#82d9a3"),
    seat_names=seat_names,
    own_panel=own_panel,
)
