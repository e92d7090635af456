// As much of Python as a game's scene and notation are written in: what hanpan.core.javascript makes of them calls these functions.

export * from "./arrays";
export * from "./functions";
export * from "./methods";
export * from "./operators";
export * from "./texts";
export * from "./values";
