// Kulami on a boardgame.io server, for benchmarks/load.py: PORT [FOLDER]; with a folder it keeps its matches in files there, else in memory.
const { Server, FlatFile } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const ROWS = "...a....../...abbccdd/...abbccdd/.eefffggdd/heeiiijjkk/hlliiijjmm/.llnnnopmm/...nnnopmm/...qqqo.../..........";
const TILE = [...ROWS.replaceAll("/", "")];

function legal(G, seat, cell) {
  if (TILE[cell] === "." || TILE[cell] === undefined || G.cells[cell]) return false;
  const [own, other] = [G.last[seat], G.last[1 - seat]];
  if (other < 0) return true;
  const inLine = cell % 10 === other % 10 || Math.floor(cell / 10) === Math.floor(other / 10);
  return inLine && TILE[cell] !== TILE[other] && (own < 0 || TILE[cell] !== TILE[own]);
}

const stuck = (G, seat) => G.left[seat] === 0 || !TILE.some((_, cell) => legal(G, seat, cell));

const kulami = {
  name: "kulami",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: Array(100).fill(0), last: [-1, -1], left: [28, 28] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, cell) => {
      const seat = Number(playerID);
      if (!legal(G, seat, cell)) return INVALID_MOVE;
      G.cells[cell] = seat + 1;
      G.last[seat] = cell;
      G.left[seat] -= 1;
    },
  },
  endIf: ({ G, ctx }) => (G.last[0] >= 0 && stuck(G, 1 - Number(ctx.currentPlayer)) ? { over: true } : undefined),
};

const [port, folder] = process.argv.slice(2);
const server = Server({ games: [kulami], origins: ["*"], ...(folder ? { db: new FlatFile({ dir: folder }) } : {}) });
server.run(Number(port), () => console.log("ready"));
