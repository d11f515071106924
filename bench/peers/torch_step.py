"""The cost of one training step of the paper's method in PyTorch, on one thread.

    PEERS_SCRIPTS=folder of vasst_torch.py  python torch_step.py --steps 200 [--compile] [--S 8 --K 3 --D 3 --rows 1800]

Runs the training loop of vasst_torch.py itself (noise, soft evaluation, evidence, divergence, backward, clipping, AdamW)
on its problem sim2 (operators mul, sin, cos; two features) and prints the time of its steps after the warm-up, which with
--compile holds the compilation: one line of JSON, milliseconds.
"""
import argparse
import json
import os
import sys

P = argparse.ArgumentParser()
P.add_argument("--steps", type=int, default=200)
P.add_argument("--warm-up", type=int, default=30)
P.add_argument("--compile", action="store_true")
for name, value in (("S", 8), ("K", 3), ("D", 3), ("rows", 1800)):
    P.add_argument("--" + name, type=int, default=value)
o = P.parse_args()

try:
    import torch
except ModuleNotFoundError as missing:
    print(json.dumps({"absent": "no module named " + missing.name}))
    sys.exit()
if "PEERS_SCRIPTS" not in os.environ:
    print(json.dumps({"absent": "PEERS_SCRIPTS does not name the folder of vasst_torch.py"}))
    sys.exit()
sys.path.insert(0, os.environ["PEERS_SCRIPTS"])
import vasst_torch as vasst

torch.set_num_threads(1)
torch.manual_seed(1)
a = vasst.parser().parse_args(["--problem", "sim2", "--noise", "0.1", "--seed", "1"])
a.S, a.K, a.D, a.steps, a.compile = o.S, o.K, o.D, o.warm_up + o.steps, o.compile
data = vasst.make_data(a.problem, a.noise, a.seed, o.rows, test=0)
family = vasst.Family(a.K, a.D, data["ops"], data["X"].shape[1], a)
_, skipped, times = vasst.train_relaxed(family, vasst.Blr(data["y"], a.K), data, a)
assert skipped == 0, "steps were skipped: %d" % skipped
wall = sorted(1e3 * t for t, _ in times[o.warm_up:])
cpu = sorted(1e3 * c for _, c in times[o.warm_up:])
at = lambda v, q: v[round(q * (len(v) - 1))]
print(json.dumps({
    "median": at(wall, 0.5), "low": at(wall, 0.1), "high": at(wall, 0.9), "cpu": sum(cpu) / len(cpu),
    "version": "PyTorch " + torch.__version__,
}))
