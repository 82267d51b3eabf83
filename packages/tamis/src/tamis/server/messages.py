"""Messages of JSON-RPC as they come: what the SDK would leave unanswered is mended or refused."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator

import anyio
import pydantic_core
from anyio.streams.memory import MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from tamis.document.decode import clean_text


class Lines:
    """The lines of standard input. The SDK drops a line that is no message without a word; here it is refused."""

    def __init__(self) -> None:
        # Never closed, since a thread may still read from it.
        self._file = anyio.wrap_file(os.fdopen(os.dup(0), "rb", closefd=False))
        self.answers: MemoryObjectSendStream[SessionMessage] | None = None  # where refusals go

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for line in self._file:
            given = mended(line)
            refused = refusal(given)
            if refused is None or self.answers is None:
                yield given
            else:
                await self.answers.send(SessionMessage(refused))


def mended(data: bytes) -> bytes:
    """JSON with U+FFFD for lone surrogates and for bytes that are not UTF-8, which strict readers refuse."""
    try:
        pydantic_core.from_json(data)
    except ValueError:
        try:
            value = json.loads(data.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return data
        return clean_text(json.dumps(value, ensure_ascii=False)).encode()
    return data


def refusal(data: bytes) -> JSONRPCError | None:
    """The answer to what is no message; None for a message, and for what expects no answer."""
    try:
        message = jsonrpc_message_adapter.validate_json(data, by_name=False)
    except ValidationError:
        pass
    else:
        if not isinstance(message, JSONRPCNotification):
            return None
    try:
        value = pydantic_core.from_json(data)
    except ValueError as error:
        return _error(None, PARSE_ERROR, f"the message is not JSON: {str(error)[:200]}")
    if isinstance(value, dict) and value.get("id") is None:
        return None
    number = value["id"] if isinstance(value, dict) else None
    is_id = isinstance(number, int | str) and not isinstance(number, bool)
    return _error(number if is_id else None, INVALID_REQUEST, "the message is not a request of JSON-RPC 2.0")


def _error(number: int | str | None, code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=number, error=ErrorData(code=code, message=message))
