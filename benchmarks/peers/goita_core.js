// Random play of whole Goita games by the npm package goita-core: prints decisions a second.
const goita = require("goita-core");

const seconds = Number(process.argv[2] || 3);
const game = goita.Factory.createGame();
let decisions = 0;
const began = process.hrtime.bigint();
const elapsed = () => Number(process.hrtime.bigint() - began) / 1e9;
while (elapsed() < seconds) {
  game.startNewGame();
  while (!game.isEnd) {
    game.startNewDeal();
    if (game.board.isGoshiSuspended) game.board.redeal();
    while (!game.board.isEndOfDeal) {
      const moves = game.board.toThinkingInfo().getPossibleMoves();
      game.board.playMove(moves[goita.Util.rand.integer(0, moves.length - 1)]);
      decisions += 1;
    }
  }
}
console.log(Math.round(decisions / elapsed()));
