// @ts-check
/**
 * SHA-256 and HMAC-SHA256 of bytes. By the browser's own WebCrypto; a page that isn't secure, as in a hall on plain
 * http, has none, and what is written here (FIPS 180-4, RFC 2104) does the same.
 */

const BLOCK = 64; // bytes
const ROUNDS = 64;

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
export async function sha256(bytes) {
  if (!globalThis.crypto?.subtle) return plainSha256(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (bytes)));
}

/** @param {Uint8Array} key @param {Uint8Array} bytes @returns {Promise<Uint8Array>} */
export async function hmac(key, bytes) {
  if (!globalThis.crypto?.subtle) return plainHmac(key, bytes);
  const own = /** @type {BufferSource} */ (key);
  const imported = await crypto.subtle.importKey("raw", own, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, /** @type {BufferSource} */ (bytes)));
}

/** @param {Uint8Array} key @param {Uint8Array} bytes */
export function plainHmac(key, bytes) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? plainSha256(key) : key);
  const inner = plainSha256(
    join(
      padded.map((byte) => byte ^ 0x36),
      bytes,
    ),
  );
  return plainSha256(
    join(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** @param {Uint8Array} bytes */
export function plainSha256(bytes) {
  const { roots, cubes } = constants();
  const state = Uint32Array.from(roots);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const words = new Uint32Array(ROUNDS);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < ROUNDS; i++) {
      const [near, far] = [words[i - 2], words[i - 15]];
      const s1 = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
      const s0 = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
      words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < ROUNDS; i++) {
      const t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + cubes[i] + words[i];
      const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0];
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setUint32(4 * i, word);
  return new Uint8Array(digest.buffer);
}

/** @param {number} word @param {number} by  bits, to the right */
function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits behind the point of the square roots of 8 primes, and of the cube roots of 64. */
function constants() {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < ROUNDS; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return {
    roots: primes.slice(0, 8).map((prime) => (Math.sqrt(prime) % 1) * 2 ** 32),
    cubes: Uint32Array.from(primes, (prime) => (Math.cbrt(prime) % 1) * 2 ** 32),
  };
}

/** @param {Uint8Array} first @param {Uint8Array} second */
function join(first, second) {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
