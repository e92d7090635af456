// Small pictures drawn with a pen: decoration beside words, never instead of a name.

const PATHS = {
  sound: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  mute: "M4 9v6h4l5 4V5L8 9zM16 9.5l5 5M21 9.5l-5 5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  chat: "M4 5h16v11H9l-5 4z",
  list: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14a6.5 6.5 0 0 1 3.5 6",
  share: "M12 15V4M8 7.5 12 4l4 3.5M5 12v8h14v-8",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM19 12l2-1-1-3-2.3.5-1.7-1.700L16.5 4.5 13.5 3.5 12 5.5 10.5 3.5 7.5 4.5 8 6.8 6.3 8.5 4 8 3 11l2 1-2 1 1 3 2.3-.5 1.7 1.7-.5 2.3 3 1 1.5-2 1.5 2 3-1-.5-2.3 1.7-1.7 2.3.5 1-3z",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.900V16h7v-2.100A6 6 0 0 0 12 3z",
  undo: "M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-3",
  flag: "M5 21V4M5 5h12l-2.5 4 2.5 4H5",
  handshake: "M3 9l4-3 5 2 5-2 4 3-3 7-3 2-3-3M12 8l-3 4 2 1.5 3-2.5",
  book: "M4 5c3-1 6-.5 8 1.500C14 4.5 17 4 20 5v14c-3-1-6-.5-8 1.500C10 18.5 7 18 4 19z",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  bot: "M5 9h14v10H5zM12 9V5M12 4.500h.01M9 13.500h.01M15 13.500h.01M9.5 16.500h5M2.5 12v4M21.5 12v4",
  friend: "M10 14a4 4 0 0 0 5.7.400l3-3a4 4 0 0 0-5.7-5.700l-1.7 1.700M14 10a4 4 0 0 0-5.7-.400l-3 3a4 4 0 0 0 5.7 5.700l1.7-1.7",
  screen: "M3 5h18v11H3zM9 20h6M12 16v4",
  bolt: "M13 2 5 14h6l-1 8 8-12h-6z",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  close: "M5 5l14 14M19 5 5 19",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  first: "M18 5l-7 7 7 7M7 5v14",
  last: "M6 5l7 7-7 7M17 5v14",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  up: "M5 15l7-7 7 7",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  download: "M12 4v11M8 11.500l4 3.5 4-3.500M5 20h14",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d={PATHS[name]} /></svg>;
}
