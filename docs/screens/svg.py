"""A terminal's screen, as `tmux capture-pane -e` tells it, drawn as SVG."""

import re
import unicodedata
from collections import Counter
from html import escape

CELL = (8.4, 17)
BASIC = [
    "#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
    "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
]
PAPER, INK = "#14171c", "#d8dee9"
PLAIN = {"fg": None, "bg": None, "bold": False, "dim": False, "italic": False, "line": False, "turned": False}
FLAGS = {1: "bold", 2: "dim", 3: "italic", 4: "line", 7: "turned"}
BACK = {22: ("bold", "dim"), 23: ("italic",), 24: ("line",), 27: ("turned",)}


def drawn(screen):
    """The SVG of a screen."""
    rows = [runs(line) for line in screen.rstrip("\n").split("\n")]
    columns = max(sum(cells for _, cells, _ in row) for row in rows)
    width, height = round(columns * CELL[0]) + 16, len(rows) * CELL[1] + 16
    classes, texts = {}, []
    told = carried(rows)
    ground = common(told)
    papers = [paper for y, row in enumerate(told) for paper in painted(row, y, ground)]
    for y, row in enumerate(told):
        x = 0
        for text, cells, state in row:
            ink, _ = colours(state)
            left, top = 8 + x * CELL[0], 8 + y * CELL[1]
            if text.strip():
                # What stands before and behind needs no letters.
                lead = len(text) - len(text.lstrip())
                word = text.strip()
                name = classes.setdefault(style(state, ink), f"c{len(classes)}")
                place = f'x="{left + lead * CELL[0]:.1f}" y="{top + 13}"'
                length = f'textLength="{wide(word) * CELL[0]:.1f}"'
                word = escape(word).replace(" ", "\u00a0")
                texts.append(f'<text {place} {length} class="{name}">{word}</text>')
            x += cells
    styles = "".join(f".{name}{{{style}}}" for style, name in classes.items())
    font = "text{font:14px 'DejaVu Sans Mono',Menlo,Consolas,monospace}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
    sheet = f'<rect width="{width}" height="{height}" rx="6" fill="{ground}"/>'
    return "\n".join([head, f"<style>{font}{styles}</style>", sheet, *papers, *texts, "</svg>", ""])


def common(rows):
    """The colour of the paper that most cells have."""
    cells = Counter()
    for _, count, state in (piece for row in rows for piece in row):
        cells[colours(state)[1]] += count
    return cells.most_common(1)[0][0] if cells else PAPER


def painted(row, y, ground):
    """The stretches of a row whose paper is another."""
    x, stretches = 0, []
    for _, cells, state in row:
        paper = colours(state)[1]
        if stretches and stretches[-1][2] == paper:
            stretches[-1][1] += cells
        else:
            stretches.append([x, cells, paper])
        x += cells
    for x, cells, paper in stretches:
        if paper != ground:
            place = f'x="{8 + x * CELL[0]:.1f}" y="{8 + y * CELL[1]}"'
            yield f'<rect {place} width="{cells * CELL[0]:.1f}" height="{CELL[1]}" fill="{paper}"/>'


def wide(text):
    """The cells that a text takes."""
    return sum(cells_of(sign) for sign in text)


def cells_of(sign):
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def runs(line):
    """The pieces of a line: text, cells, and the codes before it."""
    pieces = re.split(r"\x1b\[([0-9;:]*)m", line)
    found = [(pieces[0], wide(pieces[0]), None)]
    for codes, text in zip(pieces[1::2], pieces[2::2]):
        found.append((text, wide(text), codes))
    return found


def carried(rows):
    """The same with how each piece looks: what a line sets holds on in the next."""
    state = dict(PLAIN)
    told = []
    for row in rows:
        line = []
        for text, cells, codes in row:
            if codes is not None:
                state = changed(state, codes)
            if cells:
                line.append((text, cells, state))
        told.append(line)
    return told


def changed(state, codes):
    state = dict(state)
    numbers = [int(code.split(":")[0] or 0) for code in codes.split(";")]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            state = dict(PLAIN)
        elif code in FLAGS:
            state[FLAGS[code]] = True
        elif code in BACK:
            state.update(dict.fromkeys(BACK[code], False))
        elif code in (38, 48):
            state["fg" if code == 38 else "bg"] = colour(numbers)
        elif code in (39, 49):
            state["fg" if code == 39 else "bg"] = None
        else:
            for first, which, bright in ((30, "fg", 0), (40, "bg", 0), (90, "fg", 8), (100, "bg", 8)):
                if first <= code < first + 8:
                    state[which] = BASIC[code - first + bright]
    return state


def colour(numbers):
    """The colour that 38 or 48 begins; takes its numbers."""
    if numbers.pop(0) == 2:
        red, green, blue = (numbers.pop(0) for _ in range(3))
        return f"#{red:02x}{green:02x}{blue:02x}"
    number = numbers.pop(0)
    if number < 16:
        return BASIC[number]
    if number >= 232:
        return "#" + f"{8 + (number - 232) * 10:02x}" * 3
    number -= 16
    steps = (0, 95, 135, 175, 215, 255)
    return "#" + "".join(f"{steps[number // by % 6]:02x}" for by in (36, 6, 1))


def colours(state):
    ink, paper = state["fg"] or INK, state["bg"] or PAPER
    return (paper, ink) if state["turned"] else (ink, paper)


def style(state, ink):
    words = [f"fill:{ink}"]
    words += ["font-weight:bold"] if state["bold"] else []
    words += ["opacity:.6"] if state["dim"] else []
    words += ["font-style:italic"] if state["italic"] else []
    words += ["text-decoration:underline"] if state["line"] else []
    return ";".join(words)
