// As much of Python as a game's scene and notation are written in: what hanpan.core.javascript makes of them calls these functions.

export * from "./arrays";
export * from "./formats";
export * from "./functions";
export * from "./iterators";
export * from "./methods";
export { round } from "./numbers";
export * from "./operators";
export * from "./patterns";
export * from "./texts";
export * from "./values";
