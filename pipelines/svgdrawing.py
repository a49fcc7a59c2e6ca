# SPDX-License-Identifier: LGPL-2.1-or-later
"""The pieces that the charts of pipelines and benchmarks are drawn from."""
from xml.sax.saxutils import escape


class Drawing:
    """An SVG on white, with a title in its upper left corner."""

    def __init__(self, width, height, left, title):
        self.pieces = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="13" fill="#333333">',
            '<rect width="100%" height="100%" fill="#ffffff"/>']
        self.add_text(left, 30, title, "start", 'font-size="18"')

    def add_text(self, x, y, text, anchor, more=""):
        """A line of text; y is that of its foot."""
        self.pieces.append(f'<text x="{x:.1f}" y="{y:.1f}" '
                           f'text-anchor="{anchor}" {more}>{escape(text)}</text>')

    def add_line(self, x1, y1, x2, y2, style):
        """A straight line."""
        self.pieces.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" '
                           f'{style}/>')

    def add_polyline(self, points, color, width):
        """A line through all points."""
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.pieces.append(
            f'<polyline points="{text}" fill="none" stroke="{color}" '
            f'stroke-width="{width}" stroke-linejoin="round"/>')

    def add_polygon(self, points, color):
        """A filled area."""
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.pieces.append(f'<polygon points="{text}" fill="{color}"/>')

    def get_svg(self):
        """The whole file."""
        return "\n".join(self.pieces + ["</svg>", ""])
