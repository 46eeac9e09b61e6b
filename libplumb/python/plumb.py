"""What a GPU memory system would do with a program, from Python.

    import plumb
    card = plumb.Machine("rx540", {"dram.channels": 4})
    print(card.estimate("quick/bfs")["cycles"])

Machines and programs are named as on plumb's command line; answers are dictionaries as `plumb metrics --schema`
describes them. A Sweep evaluates designs one by one, proposed by its own random search or by any optimiser that asks
and tells (Optuna, BoTorch, scipy); read_sweep() reads the database of `plumb sweep` into pandas.

The module is pure Python on ctypes. It loads the file that the environment variable PLUMB_LIBRARY names; without it, the
libplumb.so.0 that was installed with the module; else the one that the system finds. Calls release Python's lock, so
threads run in parallel.

A fault in a machine or a program raises Error, a wrong option ValueError, an unknown name of a metric KeyError.
Machines and programs close when nothing refers to them any more, by close(), or at the end of a with statement.
"""
import contextlib
import ctypes
import difflib
import html
import json
import math
import os
import pathlib
import random
import threading

__all__ = ["Answer", "Error", "Machine", "Program", "Sweep", "compare", "read_sweep", "stop", "version"]


class Error(Exception):
    """Faults in a machine or a program: one line for each."""


class Answer(dict):
    """An answer: a dictionary as `plumb metrics --schema` describes it. A notebook shows it as a table."""

    def flat(self) -> dict:
        """The numbers alone, by their full names: {"cycles": 84502.0, "l2.hit_rate": 0.88}; for pandas.DataFrame."""
        return dict(_numbers(self))

    def _rows(self):
        """What the command line prints first: pairs of a word and its text."""
        sure = self.get("confidence", {})
        yield "time", f"{_short(self['time_us'])} us"
        if "low" in sure:
            yield "range", f"{sure['low']:,.0f} to {sure['high']:,.0f} core cycles at {sure['level']:.0%} confidence"
        if "bottleneck" in self:
            yield "limit", self["bottleneck"]
        for one in self.get("what_helps", [])[:5]:
            yield "would help", f"{one['saves']:.1%} less time with {one['what']}: {' '.join(one['set'])}"
        for name in ("cycles", "ipc", "l1.hit_rate", "l2.hit_rate", "dram.bandwidth_gbps", "energy_mj.total"):
            if name in self.flat():
                yield name, _short(self.flat()[name])

    def _repr_html_(self):
        if "time_us" not in self:
            return f"<pre>{html.escape(repr(dict(self)))}</pre>"
        return _table(f"{self['program']} on {self['machine']}, {self['engine']}", self._rows())


def _table(caption, rows):
    """Rows of texts as HTML, in which they stay text; the first of each row is its head."""
    cells = [[html.escape(text) for text in row] for row in rows]
    body = "".join(f"<tr><th>{row[0]}</th>{''.join(f'<td>{text}</td>' for text in row[1:])}</tr>" for row in cells)
    return f"<table><caption>{html.escape(caption)}</caption>{body}</table>"


def _short(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _numbers(tree, before=""):
    for key, value in tree.items():
        if isinstance(value, dict) and not (before == "" and key in ("confidence", "calibration", "host", "plumb")):
            yield from _numbers(value, f"{before}{key}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and before + key != "seed":
            yield before + key, value


class _NoMetric(KeyError):
    """A KeyError that prints its message, not the repr of a key."""

    def __str__(self):
        return str(self.args[0])


class _Options(ctypes.Structure):
    """struct plumb_options of plumb.h."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("cal", ctypes.c_char_p),
        ("kernel", ctypes.c_char_p),
        ("max_instructions", ctypes.c_uint64),
        ("budget", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
        ("error", ctypes.c_double),
        ("confidence", ctypes.c_double),
        ("threads", ctypes.c_uint),
        ("per_kernel", ctypes.c_int),
        ("per_load", ctypes.c_int),
        ("what_helps", ctypes.c_int),
        ("exact_profile", ctypes.c_int),
        ("no_cache", ctypes.c_int),
        ("bank", ctypes.c_char_p),
    ]


_TEXTS = ctypes.POINTER(ctypes.c_char_p)
_FUNCTIONS = {
    "plumb_version": (ctypes.c_char_p, []),
    "plumb_error": (ctypes.c_char_p, []),
    "plumb_stop": (None, [ctypes.c_int]),
    "plumb_options_set": (ctypes.c_int, [ctypes.POINTER(_Options), ctypes.c_char_p, ctypes.c_char_p]),
    "plumb_metric_exists": (ctypes.c_int, [ctypes.c_char_p]),
    "plumb_machine_open": (ctypes.c_void_p, [ctypes.c_char_p, _TEXTS, ctypes.c_size_t]),
    "plumb_machine_change": (ctypes.c_void_p, [ctypes.c_void_p, _TEXTS, ctypes.c_size_t]),
    "plumb_machine_close": (None, [ctypes.c_void_p]),
    "plumb_program_open": (ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_void_p]),
    "plumb_program_close": (None, [ctypes.c_void_p]),
    "plumb_estimate": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_Options)]),
    "plumb_sample": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_Options)]),
    "plumb_simulate": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_Options)]),
    "plumb_compare": (ctypes.c_void_p, [ctypes.c_void_p] * 3 + [ctypes.POINTER(_Options)]),
    "plumb_answer_json": (ctypes.c_char_p, [ctypes.c_void_p]),
    "plumb_answer_metric": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_double)]),
    "plumb_answer_close": (None, [ctypes.c_void_p]),
}


_SONAME = "libplumb.so.0"


def _installed():
    """The library of the installation that the module is part of, PREFIX/lib/*/libplumb.so.0; None: there is none."""
    lib = pathlib.Path(__file__).resolve().parent.parent.parent  # PREFIX/lib/python3*/*-packages/plumb.py
    return next((str(path) for path in sorted(lib.glob(f"*/{_SONAME}"))), None)


def _load():
    path = os.environ.get("PLUMB_LIBRARY") or _installed() or _SONAME
    try:
        library = ctypes.CDLL(path)
    except OSError as fault:
        raise ImportError(f"plumb: {fault}; install the package plumb, or name the file in PLUMB_LIBRARY") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_c = _load()


def _said():
    return _c.plumb_error().decode(errors="replace")


def _checked(handle):
    if not handle:
        raise Error(_said())
    return handle


def _encoded(text, what):
    """A text or path as C takes it, which would end it at a NUL."""
    if not isinstance(text, (str, bytes, os.PathLike)):
        raise TypeError(f"{what} is a text, not {type(text).__name__}")
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError(f"{what} holds a NUL: {text!r}")
    return encoded


def _closest(name, allowed):
    close = difflib.get_close_matches(str(name), allowed, 1)
    return f": did you mean {close[0]}?" if close else ";"


def _settings(settings):
    """{"l2.bank_kb": 512} as a C array of texts, and its length."""
    if settings is not None and not hasattr(settings, "items"):
        raise TypeError(f"settings are a dictionary of parameters, not {type(settings).__name__}")
    texts = [_setting(path, value) for path, value in (settings or {}).items()]
    return (ctypes.c_char_p * len(texts))(*texts), len(texts)


def _setting(path, value):
    if not isinstance(path, str) or not path or "=" in path:
        raise ValueError(f"{path!r} is no name of a parameter")
    return _encoded(f"{path}={_as_text(value)}", f"the value of {path}")


def _as_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_as_text(v) for v in value) + "]"
    item = getattr(value, "item", None)  # a number of numpy
    return str(item() if item else value)


def _options(given):
    """The options as the command line would take them; None and the number 0: as without the option."""
    known = [name for name, _ in _Options._fields_ if name != "size"]
    for name in given:
        if name not in known:
            raise TypeError(f"no option {name}{_closest(name, known)} there are {', '.join(sorted(known))}")
    o = _Options(size=ctypes.sizeof(_Options))
    o.texts = [(name, _option_text(name, value)) for name, value in given.items() if value is not None]  # C keeps some
    for name, text in o.texts:
        if not _c.plumb_options_set(ctypes.byref(o), name.encode(), text):
            raise ValueError(_said())
    return o


def _option_text(name, value):
    if dict(_Options._fields_)[name] is ctypes.c_char_p:
        return _encoded(value, f"the option {name}")
    if dict(_Options._fields_)[name] is ctypes.c_int:
        if not isinstance(value, (bool, int)) and type(value).__name__ not in ("bool_", "bool"):
            raise TypeError(f"the option {name} is True or False, not {value!r}")
        return b"1" if value else b"0"
    item = getattr(value, "item", None)  # a number of numpy
    value = item() if item else value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"the option {name} is a number, not {value!r}")
    return str(value).encode()


def version() -> str:
    """The version of the library."""
    return _c.plumb_version().decode()


def stop(stop: bool = True) -> None:
    """Lets all runs of this process fail as soon as they can; stop(False) allows runs again."""
    _c.plumb_stop(stop)


_ENGINES = {"estimate": _c.plumb_estimate, "sample": _c.plumb_sample, "simulate": _c.plumb_simulate}


def _as_dict(answer) -> Answer:
    """The answer's dictionary; closes the answer."""
    try:
        text = _c.plumb_answer_json(answer)
        if text is None:
            raise MemoryError
        return Answer(json.loads(text))
    finally:
        _c.plumb_answer_close(answer)


def _metric(answer, name):
    value = ctypes.c_double()
    if not _c.plumb_answer_metric(answer, _encoded(name, "the metric's name"), ctypes.byref(value)):
        raise _NoMetric(_said())
    return value.value


def _engine(name):
    if name not in _ENGINES:
        raise ValueError(f"no engine {name!r}{_closest(name, _ENGINES)} there are {', '.join(_ENGINES)}")
    return _ENGINES[name]


class _Handle:
    """Something of C's that is open until nobody uses it any more and it was closed."""

    def __init__(self, handle, close):
        self._handle, self._close, self._users, self._closed = handle, close, 0, False
        self._guard = threading.Lock()

    @contextlib.contextmanager
    def _open(self):
        """C's handle, which stays open within the with statement whatever other threads close."""
        with self._guard:
            if self._closed:
                raise ValueError(f"{self!r} is closed")
            self._users += 1
        try:
            yield self._handle
        finally:
            with self._guard:
                self._users -= 1
            self._close_unused()

    def _close_unused(self):
        with self._guard:
            handle = None
            if self._closed and not self._users:
                handle, self._handle = self._handle, None
        if handle:
            self._close(handle)

    def close(self):
        """Frees it, once the calls that use it have ended. Again: without effect."""
        with self._guard:
            self._closed = True
        self._close_unused()

    def __enter__(self):
        with self._open():
            return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_guard", None) and _c:
            self.close()


def _is_a(thing, kind):
    if not isinstance(thing, kind):
        raise TypeError(f"a {kind.__name__} is needed, not {thing!r}")
    return thing


class Machine(_Handle):
    """A preset ("rx540") or a machine file, with settings {"l2.bank_kb": 512}."""

    def __init__(self, name: str, settings: "dict | None" = None, _handle=None):
        texts, n = _settings(settings)
        self.name, self.settings = name, dict(settings or {})
        handle = _handle or _checked(_c.plumb_machine_open(_encoded(name, "the machine"), texts, n))
        super().__init__(handle, _c.plumb_machine_close)
        self._programs, self._lock = {}, threading.Lock()

    def change(self, settings: "dict | None") -> "Machine":
        """A copy with more settings, without reading a file again."""
        texts, n = _settings(settings)
        with self._open() as own:
            handle = _checked(_c.plumb_machine_change(own, texts, n))
        changed = Machine(self.name, {**self.settings, **(settings or {})}, handle)
        if "sm.warp_width" not in (settings or {}):
            changed._programs, changed._lock = self._programs, self._lock
        return changed

    def _program(self, program):
        """Programs that are named as texts are opened once for a machine and its copies of one warp width."""
        if isinstance(program, Program):
            return program
        _encoded(program, "a program")
        with self._lock:
            if program not in self._programs:
                self._programs[program] = Program(program, self)
            return self._programs[program]

    def _run(self, engine, program, options):
        run, o = _engine(engine), _options(options)
        with self._open() as machine, self._program(program)._open() as opened:
            return _checked(run(machine, opened, ctypes.byref(o)))

    def estimate(self, program: "str | Program", **options) -> Answer:
        """The model's instant answer; options as on the command line: cal, per_kernel, what_helps ..."""
        return _as_dict(self._run("estimate", program, options))

    def sample(self, program: "str | Program", **options) -> Answer:
        """Intervals of the cycle model; options error, confidence, budget, seed, threads ..."""
        return _as_dict(self._run("sample", program, options))

    def simulate(self, program: "str | Program", **options) -> Answer:
        """The whole cycle model; options max_instructions, per_kernel, per_load ..."""
        return _as_dict(self._run("simulate", program, options))

    def metrics(self, program: "str | Program", names, engine: str = "estimate", **options) -> "list[float]":
        """Only the metrics of these names ("cycles", "l2.hit_rate"), in their order, without the cost of a dictionary."""
        if isinstance(names, (str, bytes)):
            raise TypeError(f"the names of metrics are a list, not {names!r}")
        names = list(names)
        _metrics_exist(names)
        answer = self._run(engine, program, options)
        try:
            return [_metric(answer, name) for name in names]
        finally:
            _c.plumb_answer_close(answer)

    def __repr__(self):
        return f"Machine({self.name!r}, {self.settings!r})"


class Program(_Handle):
    """A trace, a generator, or a program that comes with plumb, for machines with warps as wide as this one's."""

    def __init__(self, name: str, machine: Machine):
        self.name = name
        with _is_a(machine, Machine)._open() as own:
            handle = _checked(_c.plumb_program_open(_encoded(name, "the program"), own))
        super().__init__(handle, _c.plumb_program_close)

    def __repr__(self):
        return f"Program({self.name!r})"


def compare(first: Machine, second: Machine, program: "str | Program", **options) -> Answer:
    """Estimates a program on two machines; the second's answer has "difference" and ["confidence"]["ratio"]."""
    o = _options(options)
    program = _is_a(first, Machine)._program(program)
    with first._open() as a, _is_a(second, Machine)._open() as b, program._open() as opened:
        answer = _checked(_c.plumb_compare(a, b, opened, ctypes.byref(o)))
    return _as_dict(answer)


def _metrics_exist(names, others=()):
    """KeyError, with the closest name, for the first that is neither a metric nor one of the others."""
    for name in names:
        if name in others or _c.plumb_metric_exists(_encoded(name, "the metric's name")):
            continue
        said = _said()
        close = difflib.get_close_matches(name, list(others), 1)
        axis = f"{name}: no metric or axis of that name: did you mean {close[0]}?" if close else said
        raise _NoMetric(axis)


class Sweep:
    """Designs around a machine, evaluated over programs: ask() proposes one, tell() takes or finds its values.

        sweep = plumb.Sweep("rx540", ["quick/bfs"], {"l2.bank_kb": [128, 256, 512], "dram.channels": [2, 4, 8]},
                            {"cycles": "min", "l2.bank_kb": "min"})
        while (design := sweep.ask()) is not None:
            sweep.tell(design)
        print(sweep.front())

    axes: the values that each parameter may take. objectives: metrics or axes, each "min" or "max"; a metric is its
    geometric mean over the programs. An optimiser with designs of its own calls tell() alone. ask() draws
    designs at random, each once; the seed fixes their order. Threads may ask and tell at the same time.
    """

    def __init__(self, machine, programs, axes, objectives, engine="estimate", seed=1, **options):
        self.machine = machine if isinstance(machine, Machine) else Machine(machine)
        if isinstance(programs, (str, bytes)):
            raise TypeError(f"the programs are a list, not {programs!r}")
        self.programs, self.objectives = list(programs), dict(objectives)
        self.axes = {path: _axis(path, values) for path, values in dict(axes).items()}
        self.engine, self.options = engine, options
        _engine(engine), _options(options)
        self.rows = []
        wrong = [f"{name}: {goal}" for name, goal in self.objectives.items() if goal not in ("min", "max")]
        if wrong or not self.objectives or not self.programs or not all(self.axes.values()):
            raise ValueError(f"a sweep has programs, axes with values, and objectives that are min or max {wrong}")
        self._metrics = [name for name in self.objectives if name not in self.axes]
        _metrics_exist(self._metrics, self.axes)
        self._n = math.prod(len(values) for values in self.axes.values())
        self._random, self._drawn, self._lock = random.Random(seed), set(), threading.Lock()

    def __len__(self):
        """The number of designs."""
        return self._n

    def design(self, number: int) -> dict:
        """The design of that number, 0 to len(self) - 1."""
        if not 0 <= number < self._n:
            raise IndexError(f"design {number}: there are {self._n}, from 0 on")
        chosen = {}
        for path, values in self.axes.items():
            number, at = divmod(number, len(values))
            chosen[path] = values[at]
        return chosen

    def ask(self) -> "dict | None":
        """A design that was not asked for yet; None: there is none left."""
        with self._lock:
            if len(self._drawn) == self._n:
                return None
            number = self._random.randrange(self._n)
            while number in self._drawn:
                number = (number + 1) % self._n
            self._drawn.add(number)
        return self.design(number)

    def evaluate(self, design: dict) -> "list[float]":
        """The values of the objectives for a design, in their order; Error where plumb refuses it."""
        missing = [path for path in self.axes if path not in design]
        if missing:
            raise ValueError(f"the design has no value of {', '.join(missing)}: {design!r}")
        machine = self.machine.change(design)
        runs = [machine.metrics(p, self._metrics, self.engine, **self.options) for p in self.programs]
        means = {name: _geometric_mean([run[i] for run in runs]) for i, name in enumerate(self._metrics)}
        return [float(design[name]) if name in self.axes else means[name] for name in self.objectives]

    def tell(self, design: dict, values=None) -> "list[float]":
        """Keeps a design's values, which are evaluated if they are not given, and returns them."""
        values = self.evaluate(design) if values is None else [float(v) for v in values]
        if len(values) != len(self.objectives) or not all(map(math.isfinite, values)):
            raise ValueError(f"expected a finite value of each of {', '.join(self.objectives)}, not {values}")
        with self._lock:
            self.rows.append((dict(design), values))
        return values

    def frame(self):
        """A pandas frame: a row for each design that was told, its axes, and its objectives."""
        import pandas

        axes = pandas.DataFrame([design for design, _ in self.rows], columns=list(self.axes))
        values = [dict(zip(self.objectives, values)) for _, values in self.rows]
        return axes.join(pandas.DataFrame(values, columns=self._metrics, index=axes.index))

    def front(self):
        """The rows of frame() that no other row beats in one objective without losing in another one."""
        import pandas

        return self.frame()[pandas.Series(self._on_front(), dtype=bool)]

    def best(self) -> "list[dict]":
        """The rows of front() as dictionaries, without pandas. A notebook shows them as a table where a cell ends in a sweep."""
        values_of = [{**dict(zip(self.objectives, values)), **design} for design, values in self.rows]
        names = [*self.axes, *self._metrics]
        return [{name: row[name] for name in names} for row, best in zip(values_of, self._on_front()) if best]

    def _repr_html_(self):
        names = [*self.axes, *self._metrics]
        rows = sorted(self.best(), key=lambda row: [row[name] for name in self.objectives])
        cells = [[_short(row[name]) if isinstance(row[name], (int, float)) else str(row[name]) for name in names] for row in rows]
        caption = f"Pareto front: {len(rows)} of {len(self.rows)} designs told, of {len(self)}"
        return _table(caption, [names] + cells)

    def _on_front(self):
        costs = [self._costs(values) for _, values in self.rows]
        return [not any(_dominates(other, mine) for other in costs) for mine in costs]

    def _costs(self, values):
        return [v if goal == "min" else -v for v, goal in zip(values, self.objectives.values())]


def _axis(path, values):
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"the values of the axis {path} are a list, not {values!r}")
    return list(values)


def _geometric_mean(values):
    if min(values) <= 0:
        return 0.0
    return math.exp(sum(map(math.log, values)) / len(values))


def _dominates(a, b):
    return all(x <= y for x, y in zip(a, b)) and a != b


def read_sweep(path):
    """The database of `plumb sweep` as a pandas frame: a row for each point, program and engine; axes and metrics.

    The newest sweep of the database; it may still run.
    """
    import sqlite3

    import pandas

    where = pathlib.Path(path).resolve().as_uri() + "?mode=ro"
    with contextlib.closing(sqlite3.connect(where, uri=True)) as db:
        newest = [db.execute("SELECT max(id) FROM sweep").fetchone()[0]]
        values = pandas.read_sql(
            "SELECT point, program, engine, metric, value FROM value WHERE sweep = ?", db, params=newest
        )
        places = pandas.read_sql("SELECT point, path, value FROM place WHERE sweep = ?", db, params=newest)
    runs = values.pivot_table(index=["point", "program", "engine"], columns="metric", values="value").reset_index()
    axes = places.pivot(index="point", columns="path", values="value")
    for path in axes.columns:
        numbers = pandas.to_numeric(axes[path], errors="coerce")
        axes[path] = axes[path] if numbers.isna().any() else numbers
    return axes.reset_index().merge(runs, on="point")
