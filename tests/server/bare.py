"""Bare websockets: just enough Socket.IO to see, or to spoil, what is sent."""

import asyncio
import json
import socket
import urllib.parse

from serving import PATIENT
from websockets.asyncio.client import connect


class Bare:
    """Just enough Socket.IO to see what is sent."""

    def __init__(self, ws):
        self.ws = ws

    async def send(self, *texts):
        for text in texts:
            await self.ws.send(text)

    async def hear(self):
        """The next message; pings are answered."""
        while True:
            told = await asyncio.wait_for(self.ws.recv(), PATIENT)
            if told == "2":
                await self.send("3")
            elif told != "6":
                return told

    async def acks(self, wanted):
        """The numbers of the requests that were answered next, so many of them."""
        found = []
        while len(found) < wanted:
            text = await self.hear()
            if text.startswith("43/room,"):
                found.append(int(text[8 : text.index("[")]))
        return found


def opened(url, sid="", **more):
    """A websocket that reads one message ahead, with hardly any room in between. Whoever has not read everything does not wait for a farewell either."""
    narrow = socket.create_connection((urllib.parse.urlsplit(url).hostname, urllib.parse.urlsplit(url).port))
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    address = url.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket" + (f"&sid={sid}" if sid else "")
    return connect(address, sock=narrow, max_queue=1, max_size=None, ping_interval=None, close_timeout=0.1, **more)


async def entered(ws, person, room):
    bare = Bare(ws)
    await bare.hear()
    await bare.send("40/room," + json.dumps({"token": person.token, "room": room, "scenes": True}))
    while not (await bare.hear()).startswith("40/room,"):
        pass
    return bare
