/**
 * Tresette for four on boardgame.io's own server with its in-memory storage: what SP3 and SP4 are measured against.
 *
 * The same work as ours: the suit led must be followed, the trick's winner leads, each seat gets its own hand, the
 * legal cards of the seat to move, and counts. Undo is off, which the library offers for speed. It prints one line of
 * JSON with its port once it listens, on the loopback only.
 */
'use strict';

const { Server } = require('boardgame.io/dist/cjs/server.js');
const { INVALID_MOVE } = require('boardgame.io/dist/cjs/core.js');

const RANKS = 'A234567FCR';
const DECK = [...'dcbs'].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const STRENGTH = '4567FCRA23';
const THIRDS = { A: 3, 3: 1, 2: 1, R: 1, C: 1, F: 1 };
const SEATS = 4;

function dealt(random, dealer) {
  const deck = random.Shuffle(DECK);
  const first = (dealer + 1) % SEATS;
  const hands = [[], [], [], []];
  deck.forEach((card, place) => hands[(first + place) % SEATS].push(card));
  return { hands, dealer, turn: first, trick: [], last: null, thirds: [0, 0], tricks: [0, 0] };
}

function legal(G) {
  const hand = G.hands[G.turn];
  const following = G.trick.length ? hand.filter((card) => card[1] === G.trick[0].card[1]) : [];
  return following.length ? following : hand;
}

function winner(trick) {
  const suit = trick[0].card[1];
  return trick
    .filter((played) => played.card[1] === suit)
    .reduce((best, played) => (STRENGTH.indexOf(played.card[0]) > STRENGTH.indexOf(best.card[0]) ? played : best)).seat;
}

function play({ G, playerID, random }, card) {
  const seat = Number(playerID);
  if (seat !== G.turn || !legal(G).includes(card)) return INVALID_MOVE;
  G.hands[seat] = G.hands[seat].filter((held) => held !== card);
  G.trick.push({ card, seat });
  if (G.trick.length < SEATS) {
    G.turn = (seat + 1) % SEATS;
    return undefined;
  }
  const taker = winner(G.trick);
  G.thirds[taker % 2] += G.trick.reduce((sum, played) => sum + (THIRDS[played.card[0]] || 0), 0);
  G.tricks[taker % 2] += 1;
  G.last = { cards: G.trick, taker };
  G.trick = [];
  G.turn = taker;
  if (!G.hands[taker].length) Object.assign(G, dealt(random, (G.dealer + 1) % SEATS));
  return undefined;
}

function playerView({ G, playerID }) {
  const seat = playerID === null ? null : Number(playerID);
  return {
    ...G,
    hands: G.hands.map((hand, owner) => ({ count: hand.length, cards: owner === seat ? hand : [] })),
    legal: seat === G.turn ? legal(G) : [],
  };
}

const tresette = {
  name: 'tresette',
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true,
  setup: ({ random }) => dealt(random, 0),
  playerView,
  moves: { play },
  turn: { minMoves: 1, maxMoves: 1, order: { first: ({ G }) => G.turn, next: ({ G }) => G.turn } },
};

console.info = () => {};
const server = Server({ games: [tresette], origins: ['http://127.0.0.1'] });
server.run({ port: { host: '127.0.0.1', port: 0 } }).then(({ appServer }) => {
  process.stdout.write(`${JSON.stringify({ port: appServer.address().port })}\n`);
});
