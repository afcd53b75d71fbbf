"""``python docs/pictures.py ALBUM``: replace the pictures of pages in docs/figures by an album's of the same names.

``make pictures`` makes the album: tests/web/test_pictures.py walks through the application and photographs every page.
"""

import sys
from pathlib import Path

from PIL import Image

_COLOURS = 128


def main(album):
    for path in sorted((Path(__file__).parent / "figures").glob("*.png")):
        taken = Path(album) / path.name
        if taken.exists():
            with Image.open(taken) as picture:
                picture.convert("RGB").quantize(_COLOURS).save(path, optimize=True)
            print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
