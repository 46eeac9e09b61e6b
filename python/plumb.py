"""What a GPU memory system would do with a program, from Python.

    import plumb
    card = plumb.Machine("rx540", {"dram.channels": 4})
    print(card.estimate("quick/bfs")["cycles"])

Machines and programs are named as on plumb's command line; answers are dictionaries as docs/metrics.schema.json
describes them. A Sweep evaluates designs one by one, proposed by its own random search or by any optimiser that asks
and tells (Optuna, BoTorch, scipy); read_sweep() reads the database of `plumb sweep` into pandas.

The module is pure Python on ctypes. It loads libplumb.so.0 as the system finds it, or the file that the environment
variable PLUMB_LIBRARY names. Calls release Python's lock, so that threads run in parallel.
"""
import contextlib
import ctypes
import json
import math
import os
import pathlib
import random
import threading

__all__ = ["Error", "Machine", "Program", "Sweep", "compare", "read_sweep", "stop", "version"]


class Error(Exception):
    """What plumb says is wrong: one line for each fault."""


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
    ]


_TEXTS = ctypes.POINTER(ctypes.c_char_p)
_FUNCTIONS = {
    "plumb_version": (ctypes.c_char_p, []),
    "plumb_error": (ctypes.c_char_p, []),
    "plumb_stop": (None, [ctypes.c_int]),
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


def _load():
    path = os.environ.get("PLUMB_LIBRARY") or "libplumb.so.0"
    try:
        library = ctypes.CDLL(path)
    except OSError as fault:
        raise ImportError(f"plumb: {fault}; install the package plumb, or name the file in PLUMB_LIBRARY") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_c = _load()


def _checked(handle):
    if not handle:
        raise Error(_c.plumb_error().decode(errors="replace"))
    return handle


def _settings(settings):
    """{"l2.bank_kb": 512} as a C array of texts, and its length."""
    texts = [os.fsencode(f"{path}={_as_text(value)}") for path, value in (settings or {}).items()]
    return (ctypes.c_char_p * len(texts))(*texts), len(texts)


def _as_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_as_text(v) for v in value) + "]"
    item = getattr(value, "item", None)  # a number of numpy
    return str(item() if item else value)


def _options(given):
    known = {name for name, _ in _Options._fields_} - {"size"}
    unknown = sorted(set(given) - known)
    if unknown:
        raise TypeError(f"no option {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    if any(isinstance(v, int) and v < 0 for v in given.values()):
        raise ValueError("options that are numbers are not negative")
    values = {name: os.fsencode(v) if name in ("cal", "kernel") and v is not None else v for name, v in given.items()}
    return _Options(size=ctypes.sizeof(_Options), **values)


def version():
    """The version of the library."""
    return _c.plumb_version().decode()


def stop(stop=True):
    """Lets all runs of this process fail as soon as they can; stop(False) allows runs again."""
    _c.plumb_stop(stop)


_ENGINES = {"estimate": _c.plumb_estimate, "sample": _c.plumb_sample, "simulate": _c.plumb_simulate}


def _as_dict(answer):
    """The answer's dictionary; closes the answer."""
    try:
        text = _c.plumb_answer_json(answer)
        if text is None:
            raise MemoryError
        return json.loads(text)
    finally:
        _c.plumb_answer_close(answer)


def _metric(answer, name):
    value = ctypes.c_double()
    if not _c.plumb_answer_metric(answer, name.encode(), ctypes.byref(value)):
        raise KeyError(name)
    return value.value


class Machine:
    """A preset ("rx540") or a machine file, with settings {"l2.bank_kb": 512}."""

    def __init__(self, name, settings=None, _handle=None):
        texts, n = _settings(settings)
        self.name, self.settings = name, dict(settings or {})
        self._handle = _handle or _checked(_c.plumb_machine_open(os.fsencode(name), texts, n))
        self._programs, self._lock = {}, threading.Lock()

    def change(self, settings):
        """A copy with more settings, without reading a file again."""
        texts, n = _settings(settings)
        handle = _checked(_c.plumb_machine_change(self._handle, texts, n))
        changed = Machine(self.name, {**self.settings, **settings}, handle)
        if "sm.warp_width" not in settings:
            changed._programs, changed._lock = self._programs, self._lock
        return changed

    def _program(self, program):
        """Programs that are named as texts are opened once for a machine and its copies of one warp width."""
        if isinstance(program, Program):
            return program
        with self._lock:
            if program not in self._programs:
                self._programs[program] = Program(program, self)
            return self._programs[program]

    def _run(self, engine, program, options):
        o = _options(options)
        return _checked(_ENGINES[engine](self._handle, self._program(program)._handle, ctypes.byref(o)))

    def estimate(self, program, **options):
        """The model's instant answer; options as on the command line: cal, per_kernel, what_helps ..."""
        return _as_dict(self._run("estimate", program, options))

    def sample(self, program, **options):
        """Intervals of the cycle model; options error, confidence, budget, seed, threads ..."""
        return _as_dict(self._run("sample", program, options))

    def simulate(self, program, **options):
        """The whole cycle model; options max_instructions, per_kernel, per_load ..."""
        return _as_dict(self._run("simulate", program, options))

    def metrics(self, program, names, engine="estimate", **options):
        """Only the metrics of these names ("cycles", "l2.hit_rate"), in their order, without the cost of a dictionary."""
        answer = self._run(engine, program, options)
        try:
            return [_metric(answer, name) for name in names]
        finally:
            _c.plumb_answer_close(answer)

    def __repr__(self):
        return f"Machine({self.name!r}, {self.settings!r})"

    def __del__(self):
        handle, self._handle = getattr(self, "_handle", None), None
        if handle and _c:
            _c.plumb_machine_close(handle)


class Program:
    """A trace, a generator, or a program that comes with plumb, for machines with warps as wide as this one's."""

    def __init__(self, name, machine):
        self.name = name
        self._handle = _checked(_c.plumb_program_open(os.fsencode(name), machine._handle))

    def __repr__(self):
        return f"Program({self.name!r})"

    def __del__(self):
        handle, self._handle = getattr(self, "_handle", None), None
        if handle and _c:
            _c.plumb_program_close(handle)


def compare(first, second, program, **options):
    """Estimates a program on two machines; the second's answer has "difference" and ["confidence"]["ratio"]."""
    o = _options(options)
    program = first._program(program)
    return _as_dict(_checked(_c.plumb_compare(first._handle, second._handle, program._handle, ctypes.byref(o))))


class Sweep:
    """Designs around a machine, evaluated over programs: ask() proposes one, tell() takes or finds its values.

        sweep = plumb.Sweep("rx540", ["quick/bfs"], {"l2.bank_kb": [128, 256, 512], "dram.channels": [2, 4, 8]},
                            {"cycles": "min", "l2.bank_kb": "min"})
        while (design := sweep.ask()) is not None:
            sweep.tell(design)
        print(sweep.front())

    axes: the values that each parameter may take. objectives: metrics or axes, each "min" or "max"; a metric is its
    geometric mean over the programs. An optimiser that proposes designs by itself calls tell() alone. ask() draws
    designs at random, each once; the seed fixes their order. Threads may ask and tell at the same time.
    """

    def __init__(self, machine, programs, axes, objectives, engine="estimate", seed=1, **options):
        self.machine = machine if isinstance(machine, Machine) else Machine(machine)
        self.programs, self.axes, self.objectives = list(programs), dict(axes), dict(objectives)
        self.engine, self.options = engine, options
        self.rows = []
        wrong = [f"{name}: {goal}" for name, goal in self.objectives.items() if goal not in ("min", "max")]
        if wrong or not self.objectives or not self.programs or not all(self.axes.values()):
            raise ValueError(f"a sweep has programs, axes with values, and objectives that are min or max {wrong}")
        self._metrics = [name for name in self.objectives if name not in self.axes]
        self._n = math.prod(len(values) for values in self.axes.values())
        self._random, self._drawn, self._lock = random.Random(seed), set(), threading.Lock()

    def __len__(self):
        """The number of designs."""
        return self._n

    def design(self, number):
        """The design of that number, 0 to len(self) - 1."""
        chosen = {}
        for path, values in self.axes.items():
            number, at = divmod(number, len(values))
            chosen[path] = values[at]
        return chosen

    def ask(self):
        """A design that was not asked for yet; None: there is none left."""
        with self._lock:
            if len(self._drawn) == self._n:
                return None
            number = self._random.randrange(self._n)
            while number in self._drawn:
                number = (number + 1) % self._n
            self._drawn.add(number)
        return self.design(number)

    def evaluate(self, design):
        """The values of the objectives for a design, in their order; Error where plumb refuses it."""
        machine = self.machine.change(design)
        runs = [machine.metrics(p, self._metrics, self.engine, **self.options) for p in self.programs]
        means = {name: _geometric_mean([run[i] for run in runs]) for i, name in enumerate(self._metrics)}
        return [float(design[name]) if name in self.axes else means[name] for name in self.objectives]

    def tell(self, design, values=None):
        """Keeps a design's values, which are evaluated if they are not given, and returns them."""
        values = self.evaluate(design) if values is None else list(values)
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

        costs = [self._costs(values) for _, values in self.rows]
        best = [not any(_dominates(other, mine) for other in costs) for mine in costs]
        return self.frame()[pandas.Series(best, dtype=bool)]

    def _costs(self, values):
        return [v if goal == "min" else -v for v, goal in zip(values, self.objectives.values())]


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
