// Short, low, woody sounds, made on the spot.

import { afterPaint } from "./afterpaint";
import { volume } from "./settings";

export type Sound = "place" | "wall" | "turn" | "flip" | "yours" | "hurry" | "over";

let context: AudioContext | null = null,
  loudness: GainNode | null = null;
const PLAIN = 60; // the volume at which a sound is as loud as written below

/** One knock: a tone that falls in pitch and dies away, with a breath of noise at its start. */
function knock(pitch: number, length: number, loud: number, after = 0, wave: OscillatorType = "sine"): void {
  if (!context || !loudness) return;
  const at = context.currentTime + after;
  const tone = context.createOscillator(),
    fall = context.createGain();
  tone.type = wave;
  tone.frequency.setValueAtTime(pitch * 1.6, at);
  tone.frequency.exponentialRampToValueAtTime(pitch, at + 0.03);
  fall.gain.setValueAtTime(0.0001, at);
  fall.gain.exponentialRampToValueAtTime(loud, at + 0.005);
  fall.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(fall).connect(loudness);
  tone.start(at);
  tone.stop(at + length + 0.02);
}

const SOUNDS: Record<Sound, () => void> = {
  place: () => knock(190, 0.14, 0.35),
  wall: () => {
    knock(130, 0.18, 0.4, 0, "triangle");
    knock(260, 0.06, 0.12, 0.01);
  },
  turn: () => {
    for (let i = 0; i < 4; i++) knock(120 + 18 * i, 0.12, 0.2, i * 0.1, "triangle");
  },
  flip: () => {
    knock(240, 0.09, 0.25);
    knock(320, 0.09, 0.2, 0.07);
  },
  yours: () => {
    knock(330, 0.22, 0.14);
    knock(440, 0.3, 0.12, 0.11);
  },
  hurry: () => knock(520, 0.09, 0.16, 0, "triangle"),
  over: () => {
    knock(294, 0.4, 0.16);
    knock(220, 0.5, 0.16, 0.18);
    knock(147, 0.9, 0.18, 0.36);
  },
};

const SOON = 1000; // milliseconds: what is heard later tells of nothing

/** Whether it can be heard is told by the promise, which may wait for a click. */
function awake(): Promise<void> {
  if (!context || !loudness) {
    context = new AudioContext();
    loudness = context.createGain();
    loudness.connect(context.destination);
  }
  loudness.gain.value = volume.value / PLAIN;
  return context.resume();
}

/** Whether anybody wants to hear it, and the browser knows how. */
const heard = (): boolean => volume.value > 0 && typeof AudioContext !== "undefined";

export function playSound(name: Sound): void {
  if (!heard()) return;
  const since = Date.now();
  awake().then(
    () => {
      if (Date.now() - since < SOON) SOUNDS[name]();
    },
    () => undefined, // something else has the loudspeaker: a call
  );
}

/** Safari lets sounds begin only right after a click or a key, and anew after a call or a locked screen: whatever one does allows them. */
export function allowSounds(): void {
  const done = (): void =>
    afterPaint("sounds", () => {
      if (heard()) awake().catch(() => undefined);
    });
  for (const sign of ["click", "keydown"]) addEventListener(sign, done, { passive: true, capture: true });
}
