// The random numbers of the rules, and seeds made of seeds: core/rule.py's `rng` and core/seeds.py, number for number.

const MASK = (1n << 64n) - 1n;

/** Sixty-four bits, each of which depends on all of the lowest sixty-four given. */
function scatter(given: bigint): bigint {
  let mixed = given & MASK;
  mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return mixed ^ (mixed >> 31n);
}

/** A generator for rules: key, key, counter. Different streams of one seed are independent. A seed is any whole number from 0 on. */
export function rng(seed: bigint, stream = 0n): BigInt64Array {
  let key = seed * 0x9e3779b97f4a7c15n + 0x632be59bd9b4e019n;
  for (let more = seed >> 64n; more; more >>= 64n) key = scatter(key ^ more);
  const mixed = scatter((key & MASK) + stream * 0xd1b54a32d192ed03n);
  return BigInt64Array.of(mixed & 0xffffffffn, mixed >> 32n, 0n);
}

let table: Uint32Array | null = null;

/** The CRC-32 of some bytes. */
export function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
    return crc >>> 0;
  });
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** A seed for one position: every seed has numbers of its own, which no other seed's position shares. */
export const deriveAt = (seed: bigint, position: string): bigint => (seed << 32n) + BigInt(crc32(new TextEncoder().encode(position)));
