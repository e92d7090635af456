// Looking something up by a name that anybody can have made up: `constructor` is in every object, and in none of ours.

export const own = <T>(named: { readonly [name: string]: T } | null | undefined, name: string): T | undefined =>
  named && Object.hasOwn(named, name) ? named[name] : undefined;
