"""The engine for many machines, on a cluster of two nodes that are both this machine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("ray")

import tamis
from tamis.batch.inputs import Shard, shards
from tamis.batch.outputs import Output
from tamis.batch.packages import arrow
from tamis.batch.records import Tally
from tamis.batch.rows import BatchOptions
from tamis.batch.run import Plan, Step, Watcher, run
from tamis.document import Document
from tamis.errors import InputError, MissingExtra, OptionError
from tamis.integrations import ray as engine
from tamis.integrations.ray import ShardActor
from tamis.labels import Labels
from tests.batch.archives import CHEAP, response, zipped
from tests.batch.drill import OPTIONS, write_archive
from tests.batch.extractors import Obedient
from tests.project import PROJECT

pytestmark = [
    pytest.mark.xdist_group("ray"),
    pytest.mark.skipif(sys.platform != "linux", reason="memory can be limited on Linux only"),
    pytest.mark.filterwarnings("ignore:.*Ray will no longer override accelerator visible devices:FutureWarning"),
    # Ray Data copies its own settings, old names and all.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray.data.context"),
]

PAGES = 600
PLAIN = BatchOptions(extractor="keep-all", columns=CHEAP)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of one core each."""
    from ray.cluster_utils import Cluster

    patient = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 200, "prestart_worker_first_driver": False}
    small = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={**small, "_system_config": patient})
    cluster.add_node(**small)
    yield cluster
    cluster.shutdown()


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An archive by its relative name."""
    monkeypatch.chdir(tmp_path)
    records = [zipped(response(number)) for number in range(40)]
    records[3] = records[3][:-30]
    records[4] = zipped(response(4, status=404))
    records[5] = zipped(response(5, b"<p></p>"))
    Path("pages.warc.gz").write_bytes(b"".join(records))
    return "pages.warc.gz"


def rows(out: Path) -> list[dict[str, object]]:
    """All rows but for what differs from run to run."""
    found: list[dict[str, object]] = arrow().parquet.read_table(out).to_pylist()
    return sorted(found, key=lambda row: str(row["id"]))


def letters(out: Path) -> list[dict[str, object]]:
    return sorted((letter | {"seconds": 0} for letter in Output(out).letters()), key=lambda letter: letter["offset"])


@pytest.mark.nightly
def test_engines_go_on_from_each_other_and_give_the_same(archive: str, cluster: Any, tmp_path: Path) -> None:
    gone = Path("gone.warc")
    gone.write_bytes(response(99))
    inputs, here, there = [archive, str(gone)], tmp_path / "here", tmp_path / "there"
    expected = run(inputs, Output(here), PLAIN, workers=1, shard_bytes=1_500)
    shutil.copytree(here, there)
    done = sorted(there.glob("_done/*.json"))
    lost = [marker for marker in done if not marker.name.startswith("gone")][::2]
    lost += [marker for marker in done if marker.name.startswith("gone")]
    for marker in lost:
        marker.unlink()
        (there / f"{marker.stem}.parquet").unlink()
        (there / "_dead" / f"{marker.stem}.jsonl").unlink(missing_ok=True)
    watched: list[Step] = []

    def begin(plan: Plan) -> Watcher:
        assert len(plan.todo) == len(lost)
        gone.unlink()
        return watched.append

    on_cluster = engine.cluster(cluster.address)
    summary = run(inputs, Output("there"), PLAIN, workers=1, shard_bytes=1_500, begin=begin, engine=on_cluster)
    assert list(summary.failed) == [str(gone)]
    assert "No such file" in summary.failed[str(gone)]
    assert {step.shard.name for step in watched} == {marker.stem for marker in lost}
    assert sum(step.new.pages for step in watched if isinstance(step.new, Tally)) == summary.run.pages
    assert summary.shards_done_before == len(done) - len(lost) > 3
    assert 0 < summary.run.pages < summary.total.pages == 40
    assert json.loads((there / "_summary.json").read_text()) == summary.as_dict()

    gone.write_bytes(response(99))
    again = run(inputs, Output(there), PLAIN, workers=1, shard_bytes=1_500)
    assert (again.run.pages, again.total.as_dict() | {"seconds": 0}) == (1, expected.total.as_dict() | {"seconds": 0})
    assert rows(there) == rows(here)
    assert letters(there) == letters(here)
    assert len(letters(there)) == 1


def test_an_extractor_that_the_machines_do_not_have_is_said(archive: str, cluster: Any, tmp_path: Path) -> None:
    mine = ModuleType("only_here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "only_here", mine)
        extractor = type("Mine", (Obedient,), {"__module__": "only_here"})
        mine.Mine = extractor  # type: ignore[attr-defined]
        options = replace(PLAIN, extractor=extractor())
        with pytest.raises(engine.ClusterFailed, match=r"^Ray gave up: .*No module named 'only_here'$"):
            run([archive], Output(tmp_path / "out"), options, engine=engine.cluster(cluster.address))
    assert not Output(tmp_path / "out").done()


def test_the_example_runs_on_the_cluster_that_the_environment_names(archive: str, cluster: Any, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [str(PROJECT / "examples" / "ray_job.sh"), archive, "out"]
    ran = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"RAY_ADDRESS": cluster.address, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert json.loads(ran.stdout)["total"]["pages"] == 40
    assert len(rows(tmp_path / "out")) == 38


@pytest.mark.nightly
def test_a_lost_node_costs_nothing(cluster: Any, tmp_path: Path) -> None:
    archive, out = tmp_path / "pages.warc.gz", tmp_path / "out"
    planted = write_archive(archive, PAGES, one_of_each=True)
    node = next(node for node in cluster.list_all_nodes() if not node.head)
    most_at_once = done = killed_at = 0

    def busy() -> set[str]:
        """The processes that are writing a shard."""
        nonlocal most_at_once
        found = {path.name.rpartition("-")[2] for path in (out / "_tmp").glob("*.parquet.*")}
        most_at_once = max(most_at_once, len(found))
        return found

    def watch(step: Step) -> None:
        nonlocal done, killed_at
        done += step.tally is not None
        busy()
        if done == 3:
            patience = time.monotonic() + 30
            while not busy() & descendants(node):
                assert time.monotonic() < patience, "the node does nothing"
                time.sleep(0.01)
            lose(cluster, node)
            killed_at = done

    summary = run(
        [str(archive)],
        Output(out),
        OPTIONS,
        shard_bytes=24_000,
        begin=lambda plan: watch,
        engine=engine.cluster(cluster.address),
    )
    assert 0 < killed_at < summary.shards, "the node was busy with a shard when it was lost"
    assert not summary.failed
    assert summary.total.letters == Counter(planted.poison.values())
    ids = Counter(arrow().parquet.read_table(out, columns=["id"]).column("id").to_pylist())
    assert set(ids) == planted.good
    assert set(ids.values()) == {1}
    found = [(letter["offset"], letter["kind"]) for letter in Output(out).letters()]
    assert sorted(found) == sorted(planted.poison.items())
    assert summary.total.pages == PAGES
    assert 1 <= most_at_once <= 2, "no more shards at a time than cores"
    assert not any((out / "_tmp").iterdir())


def descendants(node: Any) -> set[str]:
    """The processes of a node, by their ids."""
    found: set[str] = set()
    waiting = [str(process.process.pid) for process in node.all_processes["raylet"]]
    while waiting:
        process = waiting.pop()
        found.add(process)
        with suppress(OSError):
            waiting += Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return found


def lose(cluster: Any, node: Any) -> None:
    """A node is gone at once, with all that runs on it."""
    processes = descendants(node)
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)
    cluster.remove_node(node, allow_graceful=False)


def test_what_is_wrong_is_said_before_anything_is_done(
    archive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Output(tmp_path / "out")
    with pytest.raises(OptionError, match="at least one worker"):
        run([archive], out, PLAIN, workers=0, engine=engine.cluster())
    with pytest.raises(InputError):
        run(["missing.warc"], out, PLAIN, engine=engine.cluster())
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"):
        with pytest.raises(OptionError, match=f"^no Ray cluster at {address}: "):
            run([archive], out, PLAIN, engine=engine.cluster(address))
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"^the engine ray needs an extra: pip install 'tamis\[ray\]'$"):
        run([archive], out, PLAIN, engine=engine.cluster())
    assert not (tmp_path / "out").exists()


def outcome(actor: ShardActor, shard: Shard) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(actor({"shard": json.dumps(asdict(shard))})["outcome"])
    return found


def test_an_actor_does_a_shard_once(archive: str, tmp_path: Path) -> None:
    (shard,) = shards([archive])
    out = Output(tmp_path / "out")
    here = {"version": tamis.__version__, "folder": str(tmp_path)}
    with out.opened({}, {}):
        actor = ShardActor(PLAIN, out, **here)
        first = outcome(actor, shard)
        assert (first["counts"]["pages"], first["failed"], first["error"]) == (40, "", None)
        written = (tmp_path / "out" / f"{shard.name}.parquet").stat().st_mtime_ns
        assert outcome(actor, shard) == first
        assert (tmp_path / "out" / f"{shard.name}.parquet").stat().st_mtime_ns == written, "it is not done again"
        assert "No such file" in outcome(actor, replace(shard, path="gone.warc"))["failed"]

        other = ShardActor(PLAIN, out, version="0.0.0", folder=str(tmp_path))
        kind, message = outcome(other, shard)["error"]
        assert (kind, "but this run is of tamis 0.0.0" in message) == ("OptionError", True)
        elsewhere = ShardActor(PLAIN, Output(tmp_path / "elsewhere"), **here)
        kind, message = outcome(elsewhere, shard)["error"]
        assert (kind, "all machines have to share it" in message) == ("OptionError", True)
        (tmp_path / "out" / "_done" / f"{shard.name}.json").unlink()
        shutil.rmtree(tmp_path / "out" / "_tmp")
        kind, message = outcome(actor, shard)["error"]
        assert (kind, "can't be written: " in message) == ("OptionError", True)
        (tmp_path / "out" / "_tmp").mkdir()
        unready = ShardActor(replace(PLAIN, extractor=Unready()), out, **here)
        kind, message = outcome(unready, shard)["error"]
        assert kind == "MissingExtra"
        assert message.endswith(": this needs an extra: pip install 'tamis[none]'")


class Unready:
    """An extractor whose packages are not there."""

    def label(self, document: Document) -> Labels:
        raise MissingExtra("this", "none")
