# The server in an image: docs/how-to/container.md. tests/container runs these steps without an engine, so a RUN either is one
# apt-get or touches nothing but /src and /opt.
#
# For an image that never changes below you: --build-arg BASE=python:3.13-slim-trixie@sha256:...
ARG BASE=python:3.13-slim-trixie

FROM ${BASE} AS build
# The kernel is compiled from C. The compiler stays in this stage.
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY requirements-dev.lock ./
COPY tools/hashed.py tools/hashed.py
COPY packages/tamis packages/tamis
RUN python -m venv /opt/tamis
RUN /opt/tamis/bin/pip wheel --no-deps --wheel-dir dist ./packages/tamis
# The versions that the project is tested with, each checked by its hash. pip would ask for a hash of our own wheel, too:
# so it plans with the versions, and installs what it has planned by the hashes, and the wheel alone.
RUN grep -v -e --hash= requirements-dev.lock | sed 's/ \\$//' > constraints.txt
RUN /opt/tamis/bin/pip install --dry-run --quiet --report plan.json --constraint constraints.txt \
    "$(echo dist/*.whl)[server,mcp]"
RUN /opt/tamis/bin/python tools/hashed.py plan.json requirements-dev.lock > hashed.txt
RUN /opt/tamis/bin/pip install --require-hashes --no-deps --requirement hashed.txt
RUN /opt/tamis/bin/pip install --no-deps dist/*.whl
# Nothing is installed into a running server.
RUN /opt/tamis/bin/python -m pip uninstall --yes pip

FROM ${BASE}
LABEL org.opencontainers.image.title="tamis" \
      org.opencontainers.image.description="Main content of web pages, over HTTP and the Model Context Protocol" \
      org.opencontainers.image.source="https://github.com/tamis-extract/tamis" \
      org.opencontainers.image.documentation="https://tamis-extract.github.io/tamis/container/" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/tamis /opt/tamis
# The root may be read-only: all that Python compiles was compiled when it was installed.
ENV PATH=/opt/tamis/bin:$PATH PYTHONDONTWRITEBYTECODE=1
WORKDIR /
# A number, so that Kubernetes sees that it is not root. No such user exists, and none is needed.
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
# By a name that every server answers to, whatever --allow-host says, and never by a proxy of the environment.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["python", "-I", "-c", \
    "from urllib.request import *; build_opener(ProxyHandler({})).open('http://127.0.0.1:8000/healthz', timeout=4)"]
ENTRYPOINT ["tamis"]
# Only for this machine, though it listens to all: without a name, a web page could reach it by a name of its own.
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--allow-host", "localhost"]
