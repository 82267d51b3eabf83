"""https: the certificate has to be one for the name that was asked for."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tamis.errors import FetchError
from tamis.web import Fetcher, FetchRules
from tests.web.internet import PUBLIC, Answer, Internet

RULES = FetchRules(proxies=False, timeout=10)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for oven.example, made for this run."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "oven.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("oven.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("certificate") / "oven.pem"
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    path.write_bytes(
        key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain) + made.public_bytes(encoding)
    )
    return path


@pytest.fixture(autouse=True)
def _https(internet: Internet, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    internet.socket = context.wrap_socket(internet.socket, server_side=True, do_handshake_on_connect=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    internet.answers |= {"oven.example/": Answer(), "mill.example/": Answer()}


def test_a_page_by_the_name_of_its_certificate(internet: Internet) -> None:
    assert Fetcher(RULES).fetch("https://oven.example/").data == b"<p>page"
    assert internet.connected == [(PUBLIC[0], 443)]


@pytest.mark.parametrize("url", ["https://mill.example/", f"https://{PUBLIC[0]}/"])
def test_another_name_is_not_that_of_the_certificate(url: str, internet: Internet) -> None:
    with pytest.raises(FetchError, match="mismatch"):
        Fetcher(RULES).fetch(url)
    assert not internet.requests


def test_a_redirect_to_another_name(internet: Internet) -> None:
    internet.answers["oven.example/"] = Answer.to("https://mill.example/")
    with pytest.raises(FetchError, match="mismatch"):
        Fetcher(RULES).fetch("https://oven.example/")
    assert internet.urls == ["oven.example/"]


def test_a_certificate_that_nobody_trusts(internet: Internet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(FetchError, match="CERTIFICATE_VERIFY_FAILED"):
        Fetcher(RULES).fetch("https://oven.example/")
    assert not internet.requests
