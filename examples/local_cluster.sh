#!/bin/sh
# A Dask cluster of processes on this machine, and a study that runs on it.
#
#     examples/local_cluster.sh [N_WORKERS] [ARGUMENTS OF weaklearn reproduce ...]
#
# On several machines start `dask scheduler` on one and `dask worker` on the others; see docs/engines.md.
set -eu

workers=${1:-2}
[ $# -gt 0 ] && shift
folder=$(mktemp -d)
python=${PYTHON:-python}
pids=""

finish() {
    for pid in $pids; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

"$python" -m distributed.cli.dask_scheduler --host 127.0.0.1 --port 0 --no-dashboard \
    --scheduler-file "$folder/scheduler.json" >"$folder/scheduler.log" 2>&1 &
pids="$pids $!"
while [ ! -s "$folder/scheduler.json" ]; do sleep 0.2; done

i=0
while [ "$i" -lt "$workers" ]; do
    "$python" -m distributed.cli.dask_worker --scheduler-file "$folder/scheduler.json" --nthreads 1 \
        --no-dashboard --local-directory "$folder" >"$folder/worker$i.log" 2>&1 &
    pids="$pids $!"
    i=$((i + 1))
done

address=$("$python" -c "import json, sys; print(json.load(open(sys.argv[1]))['address'])" "$folder/scheduler.json")
"$python" -m weaklearn reproduce --engine "dask://${address#tcp://}" "$@"
