#!/usr/bin/env bash
# The wheel has the engine, and Node comes as its dependency: requirements.txt is all.
set -euo pipefail
pip install -r "$(dirname "${BASH_SOURCE[0]}")/requirements.txt"
