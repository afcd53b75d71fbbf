"""The palette: told apart by colour-blind readers, readable by day and night."""

from itertools import combinations

import numpy as np
import pytest

from weaklearn.display import palette

# Machado, Oliveira and Fernandes (2009), full strength, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE_POINT = TO_XYZ.sum(axis=1)
CURVES = palette.COLOURS
DARK_CURVES = tuple(palette.DARK[colour] for colour in CURVES)
BACKGROUNDS = {"light": palette.WHITE, "dark": palette.DARK[palette.WHITE]}


def linear(colour):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    ratio = TO_XYZ @ np.clip(rgb, 0, 1) / WHITE_POINT
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one, two):
    lights = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (one, two))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_the_measures_themselves():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    np.testing.assert_allclose(lab(linear("#ffffff")), [100, 0, 0], atol=0.01)
    np.testing.assert_allclose(lab(linear("#ff0000")), [53.24, 80.09, 67.20], atol=0.05)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("colours", [CURVES, DARK_CURVES], ids=["light", "dark"])
def test_curves_are_told_apart(sight, colours):
    """A difference of 2.3 is just noticeable side by side; lines apart from each other need several times that."""
    seen = {colour: lab(SIGHT[sight] @ linear(colour)) for colour in colours}
    apart = {pair: np.linalg.norm(seen[pair[0]] - seen[pair[1]]) for pair in combinations(colours, 2)}
    assert min(apart.values()) > 10, min(apart, key=apart.get)


@pytest.mark.parametrize("mode", BACKGROUNDS)
def test_classes_and_ink_stand_out(mode):
    names = (*palette.CLASS_COLOURS, palette.GREEN, palette.BLACK, palette.GREY, palette.MIDDLE)
    for colour in names:
        shown = palette.DARK[colour] if mode == "dark" else colour
        assert contrast(shown, BACKGROUNDS[mode]) >= 3, (colour, mode)


def test_every_colour_has_a_name_and_a_dark_partner():
    assert set(palette.NAMES.values()) == set(palette.DARK)
    assert set(palette.COLOURS) <= set(palette.DARK)
    assert len(set(palette.DARK.values())) == len(palette.DARK)
