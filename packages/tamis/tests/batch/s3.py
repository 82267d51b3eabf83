"""An S3 server on this machine, and a proxy before it that fails as networks and stores do."""

from __future__ import annotations

import re
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tamis.batch import stores
from tamis.batch.packages import arrow, fsspec

SECRET = "wJalr-not-a-real-secret"
BUCKET = "crawl-bucket"  # a store may also call it a bucket in its messages
# What a request meets, by its number, method and path: nothing, a status, or a connection that ends after so many bytes
# of the answer.
Fault = Callable[[int, str, str], int | slice | None]


@contextmanager
def server(patch: pytest.MonkeyPatch) -> Iterator[str]:
    """The endpoint of an S3 server with one bucket, to which the environment points."""
    import moto.server

    running = moto.server.ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    try:
        for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
            patch.delenv(name, raising=False)
        patch.setenv("AWS_ACCESS_KEY_ID", "tamis-test-key")
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        point_to(patch, f"http://{host}:{port}")
        urlopen(Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()  # its state is the process's
        fsspec().filesystem("s3").mkdir(BUCKET)
        yield f"http://{host}:{port}"
    finally:
        forget_clients()
        running.stop()


def point_to(patch: pytest.MonkeyPatch, endpoint: str) -> None:
    """Let this process and those that it starts ask another server."""
    patch.setenv("AWS_ENDPOINT_URL_S3", endpoint)
    forget_clients()


def forget_clients() -> None:
    """Clients keep the endpoint and the credentials that they began with."""
    fsspec().get_filesystem_class("s3").clear_instance_cache()
    stores._entries.clear()
    stores._listings.clear()


def put(name: str, data: bytes) -> str:
    """Put an object into the bucket, and tell its address."""
    fsspec().filesystem("s3").pipe_file(f"{BUCKET}/{name}", data)
    return f"s3://{BUCKET}/{name}"


def objects(prefix: str) -> dict[str, bytes]:
    """The objects below a prefix of the bucket, by name."""
    fs = fsspec().filesystem("s3")
    fs.invalidate_cache()
    return {name.removeprefix(f"{BUCKET}/"): fs.cat_file(name) for name in fs.find(f"{BUCKET}/{prefix}")}


def ids(prefix: str) -> list[str]:
    """The ids of all rows below a prefix, as tables have them."""
    tables = [data for name, data in objects(prefix).items() if name.endswith(".parquet")]
    read = (arrow().parquet.read_table(arrow().BufferReader(data), columns=["id"]) for data in tables)
    return [identity for table in read for identity in table.column("id").to_pylist()]


class Proxy(socketserver.ThreadingTCPServer):
    """Passes requests on, one a connection, unless `fault` says otherwise."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, endpoint: str, fault: Fault) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        host, _, port = endpoint.removeprefix("http://").partition(":")
        self.behind, self.fault = (host, int(port)), fault
        self.met: list[tuple[str, str]] = []  # method and path of each request
        self.faults = 0
        self.lock = threading.Lock()

    @property
    def endpoint(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Request(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        proxy: Any = self.server
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            head += line
        method, path = head.split(b" ", 2)[:2]
        with proxy.lock:
            proxy.met.append((method.decode(), path.decode()))
            fault = proxy.fault(len(proxy.met), method.decode(), path.decode())
            proxy.faults += fault is not None
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        if b"100-continue" in head.lower():
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = self.rfile.read(int(length[1])) if length else b""
        if isinstance(fault, int):
            self.wfile.write(b"HTTP/1.1 %d Fault\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % fault)
            return
        head = re.sub(rb"(?i)\r\n(connection|expect):[^\r]*", b"", head).replace(
            b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"
        )
        with socket.create_connection(proxy.behind) as behind:
            behind.sendall(head + body)
            answer = b""
            while piece := behind.recv(1 << 16):
                answer += piece
        self.wfile.write(answer[fault] if isinstance(fault, slice) else answer)


@contextmanager
def proxied(endpoint: str, fault: Fault) -> Iterator[Proxy]:
    """A proxy before the server at an endpoint."""
    with Proxy(endpoint, fault) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()
