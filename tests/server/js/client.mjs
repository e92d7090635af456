// The official Socket.IO client, driven line by line: one JSON request a line comes in, everything that is heard goes out as one JSON line each.
import { createInterface } from "node:readline";
import { Manager } from "socket.io-client";

const sockets = new Map(); // number of a line → its socket
const managers = new Map(); // name of a connection → what several namespaces share

const tell = (told) => process.stdout.write(JSON.stringify(told) + "\n");

function manager(url, connection) {
  const found = managers.get(connection);
  if (found) return found;
  const made = new Manager(url, { reconnectionDelay: 50, reconnectionDelayMax: 500, autoConnect: false });
  managers.set(connection, made);
  return made;
}

const handlers = {
  connect({ line, url, connection, namespace, auth }) {
    const socket = manager(url, connection).socket(namespace, { auth });
    sockets.set(line, socket);
    socket.onAny((event, ...payload) => tell({ line, event, payload }));
    socket.on("connect", () => tell({ line, connected: true }));
    socket.on("disconnect", (reason) => tell({ line, connected: false, reason }));
    socket.on("connect_error", (wrong) => tell({ line, connected: false, reason: wrong.message }));
    socket.connect();
  },
  emit({ line, event, payload, number }) {
    sockets.get(line).emit(event, payload, (...answer) => tell({ line, number, answer }));
  },
  close({ line }) {
    sockets.get(line)?.disconnect();
  },
  lose({ line, back }) {
    const io = sockets.get(line).io;
    io.reconnection(back);
    io.engine.close();
  },
};

for await (const text of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(text);
  handlers[asked.request](asked);
}
process.exit(0);
