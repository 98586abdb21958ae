"""The socket that a server listens at."""

from __future__ import annotations

import asyncio
import socket

from ddob_rules.serve.running import listening


def test_small_messages_are_sent_at_once() -> None:
    """Otherwise the second of two waits until the first is acknowledged, which takes 40 ms."""

    async def at_once() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            at_work = writer.get_extra_info("socket")
            found.set_result(at_work.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(serve, sock=door):
            _, writer = await asyncio.open_connection(*door.getsockname())
            writer.close()
            return await found

    with listening("127.0.0.1", 0) as door:
        assert asyncio.run(at_once())
