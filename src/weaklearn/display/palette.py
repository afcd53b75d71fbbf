"""The colours of every drawing and page, and their counterparts on a dark background.

The hues are those of Okabe and Ito, which stay apart for colour-blind readers; dashes and markers tell curves and
classes apart without any colour. Drawings are made in the light colours. Pages that follow the reader's setting
replace each of them by its partner in `DARK`.
"""

BLUE = "#0072b2"
VERMILLION = "#d55e00"
GREEN = "#009e73"
PINK = "#cc79a7"
ORANGE = "#e69f00"
SKY = "#56b4e9"
BLACK = "#000000"
WHITE = "#ffffff"

GREY = "#666666"  # reference lines, and what does not matter
MIDDLE = "#888888"
FAINT = "#bbbbbb"  # what was left out

# Curves in the order in which they are drawn, the strongest colours first.
COLOURS = (BLUE, VERMILLION, GREEN, PINK, ORANGE, SKY, BLACK)
DASHES = ("-", "--", "-.", ":")
CLASS_COLOURS = (BLUE, VERMILLION)  # of classes_[0] and classes_[1]
CLASS_MARKERS = ("o", "^")
TINTS = ("#a9cfe6", "#f6c9a6")  # areas on which examples of these classes are drawn

NAMES = {
    "blue": BLUE,
    "vermillion": VERMILLION,
    "green": GREEN,
    "pink": PINK,
    "orange": ORANGE,
    "sky": SKY,
    "black": BLACK,
    "white": WHITE,
    "grey": GREY,
    "middle": MIDDLE,
    "faint": FAINT,
}

# The same colour on a dark background. Black and white change places: ink stays ink, paper stays paper.
DARK = {
    BLUE: "#4aa3e8",
    VERMILLION: "#ff8142",
    GREEN: "#1fc496",
    PINK: "#e8a3cd",
    ORANGE: "#f5bd3d",
    SKY: "#a9ddff",
    BLACK: "#e6e9ed",
    WHITE: "#1c2127",
    GREY: "#a3adb9",
    MIDDLE: "#8a939e",
    FAINT: "#59626d",
}
