#!/usr/bin/env python3
"""Makes the notebooks of docs/guide/notebooks from their texts, NAME.py with cells that begin with "# %%", and runs them.

    scripts/notebooks.py            # writes every NAME.ipynb, with the outputs of its cells
    scripts/notebooks.py --check    # runs every cell, and finds NAME.ipynb as it would be written, but for its outputs

Python is enough: the cells run in one namespace, as a notebook's kernel runs them. PLUMB_LIBRARY and PYTHONPATH lead to
the module, PATH to plumb.
"""
import ast
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "guide" / "notebooks"
OUTPUT_MAX = 20_000  # bytes of a notebook's outputs: what is larger belongs in no repository


def cells(text):
    """[(kind, source)] of a text in cells."""
    for part in text.split("# %%")[1:]:
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            yield "markdown", "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.strip().splitlines())
        else:
            yield "code", body.strip()


def lines(text):
    return text.splitlines(keepends=True)


def shown(value):
    """A value as a notebook shows it."""
    data = {"text/plain": lines(repr(value) if not hasattr(value, "_repr_html_") else type(value).__name__)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = lines(value._repr_html_())
    return {"output_type": "execute_result", "metadata": {}, "data": data, "execution_count": None}


def run(source, name, space):
    """The outputs of a cell: what it prints, and its last expression."""
    tree, printed, value = ast.parse(source, name), io.StringIO(), None
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), space)
        value = eval(compile(last, name, "eval"), space) if last else None
    stream = {"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())}
    return ([stream] if printed.getvalue() else []) + ([shown(value)] if value is not None else [])


def notebook(path):
    """The notebook of a text, run in an empty folder."""
    made, space = [], {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, (kind, source) in enumerate(cells(path.read_text())):
            cell = {"cell_type": kind, "id": f"cell-{i}", "metadata": {}, "source": lines(source)}
            if kind == "code":
                cell |= {"execution_count": None, "outputs": run(source, f"{path.name}, cell {i}", space)}
            made.append(cell)
        os.chdir("/")
    return {"cells": made, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                                        "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


def outputs_of(book):
    return [cell.pop("outputs") for cell in book["cells"] if cell["cell_type"] == "code"]


def check(path, made):
    """What is wrong with the notebook that is kept."""
    kept = json.loads(path.with_suffix(".ipynb").read_text())
    outputs, fresh = outputs_of(kept), outputs_of(made)
    if kept != made:
        return "is not as scripts/notebooks.py writes it"
    if len(json.dumps(outputs)) > OUTPUT_MAX:
        return f"keeps more than {OUTPUT_MAX} bytes of outputs"
    if [bool(o) for o in outputs] != [bool(o) for o in fresh]:
        return "keeps outputs of other cells than those that have some"
    return ""


def main():
    wrong = 0
    for path in sorted(FOLDER.glob("*.py")):
        made = notebook(path)
        if sys.argv[1:] == ["--check"]:
            fault = check(path, made)
            wrong += bool(fault)
            print(f"{path.stem}.ipynb {fault}" if fault else f"{path.stem}: {len(made['cells'])} cells")
        else:
            path.with_suffix(".ipynb").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
