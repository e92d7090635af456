// The side from which a board is seen: one's own is near. Turned by half a turn, everything stands elsewhere, but upright.

import type { Scene } from "../net/scenes";
import type { BoardPlan, Look, Motion, SentScene } from "../net/types";
import { frame } from "./frame";

/** Whether a seat sees the board from its upper side: it has a goal, and that is to lie far away. */
export function sitsAbove(plan: BoardPlan, seat: number): boolean {
  const goal = plan.grounds.find((ground) => ground.kind === "goal" && ground.seat === seat);
  const { y, h } = frame(plan);
  return goal !== undefined && goal.y > y + h / 2;
}

/** Whether a board can be seen from the other side, too; a table with fields for everyone is laid for its viewer already. */
export const hasSides = (plan: BoardPlan): boolean => !plan.grounds.some((ground) => ground.kind === "field");

const plans = new WeakMap<BoardPlan, BoardPlan>();
const scenes = new WeakMap<SentScene, SentScene>();

type Point = { x?: number; y?: number };

function about(plan: BoardPlan): <T extends Point>(item: T) => T {
  const { x, y, w, h } = frame(plan);
  return (item) => ({ ...item, x: 2 * x + w - (item.x ?? 0), y: 2 * y + h - (item.y ?? 0) });
}

function turnPlan(plan: BoardPlan): BoardPlan {
  let made = plans.get(plan);
  if (!made) {
    const turn = about(plan);
    made = { ...plan, grounds: plan.grounds.map(turn), places: plan.places.map(turn), captions: plan.captions?.map(turn) };
    plans.set(plan, made); // the same object every time: a view lays a new board anew
  }
  return made;
}

function turnSent<T extends SentScene>(scene: T, plan: BoardPlan): T {
  let made = scenes.get(scene);
  if (!made) {
    const turn = about(plan);
    const look: Look = { ...scene.look, pieces: scene.look.pieces?.map(turn) };
    const motions: Motion[] | undefined = scene.motions?.map((motion) => (motion.kind === "slide" ? motion : turn(motion)));
    made = { ...scene, look, motions, ...(scene.board ? { board: turnPlan(scene.board) } : {}) };
    scenes.set(scene, made);
  }
  return made as T;
}

/** A scene from the other side. */
export const turned = (scene: Scene): Scene => turnSent(scene, scene.board);

/** What an action would bring, from the other side of the same board. */
export const turnedGhost = (scene: SentScene | null, plan: BoardPlan): SentScene | null => (scene ? turnSent(scene, plan) : null);
