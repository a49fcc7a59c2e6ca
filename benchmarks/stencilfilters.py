# SPDX-License-Identifier: LGPL-2.1-or-later
"""The filters of neighbours that are measured: what they are called, and their
weights."""


def get_sigma(radius):
    """Of a Gaussian whose window ends at two of them."""
    return radius / 2


def make_row(radius):
    """Weights that fall to both sides."""
    return [radius + 1 - abs(offset) for offset in range(-radius, radius + 1)]


def make_dense(radius):
    """A square of weights that is no column times a row; two of a kind are
    rare."""
    side = 2 * radius + 1
    return [[(7 * i * i + 5 * j + 3 * i * j) % 97 + 1 for i in range(side)]
            for j in range(side)]


def write_matrix(rows):
    """As glopenclconvolution's property has it."""
    return ("<" + ",".join("<" + ",".join(map(str, row)) + ">" for row in rows)
            + ">")


def make_separable(radius):
    """A column times a row."""
    row = make_row(radius)
    return [[below * beside for beside in row] for below in row]


def get_operation(name, radius):
    """The operation and the parameters of this project: [(name, value)]."""
    if name == "gradient":
        return "gradient", [("channels", "each")]
    if name in ("dense", "separable"):
        make = make_dense if name == "dense" else make_separable
        return "convolution", [("matrix", write_matrix(make(radius)))]
    params = [("kernel", name), ("radius", radius)]
    if name == "gaussian":
        params.append(("sigma", get_sigma(radius)))
    return "sharpen", params
