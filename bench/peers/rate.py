"""What the rates of the two genetic programs share: data, counting, and the line of JSON."""
import csv
import json
import os
import sys
import time

OPERATORS = ["add", "sub", "mul", "div", "square", "sqrt", "sin", "cos", "exp", "log"]


def load(path):
    """Features [n, p] and y [n] of a CSV file whose last column is y."""
    import numpy as np
    with open(path) as file:
        rows = list(csv.reader(file))[1:]
    table = np.array(rows, dtype=float)
    return table[:, :-1], table[:, -1]


def absent(why):
    print(json.dumps({"absent": why}))
    sys.exit()


class Clock:
    """Wall and CPU seconds of a block, over all threads."""

    def __enter__(self):
        self.wall, self.cpu = time.perf_counter(), sum(os.times()[:2])
        return self

    def __exit__(self, *_):
        self.wall = time.perf_counter() - self.wall
        self.cpu = sum(os.times()[:2]) - self.cpu


def report(count, nodes, clock, version):
    """count: individuals evaluated; nodes: the mean number of nodes of an individual."""
    print(json.dumps({
        "perSecond": count / clock.wall, "perCpuSecond": count / clock.cpu, "count": count, "nodes": nodes,
        "version": version,
    }))
