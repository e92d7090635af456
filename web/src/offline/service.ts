// The service worker: a bundle of its own, before which the build writes which version it is of (VERSION).

import { later } from "../lib/later";
import { Keeper, type Version } from "./keeper";

declare const VERSION: Version;

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Asked extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Clicked extends Lasting {
  notification: { data: unknown; close(): void };
}
interface Page {
  url: string;
  focus(): Promise<unknown>;
}
interface Said extends Lasting {
  data: { page?: unknown } | null;
  source: { postMessage(said: string): void } | null;
}
const here = self as unknown as {
  addEventListener<T>(kind: string, heard: (event: T) => void): void;
  clients: { claim(): Promise<void>; matchAll(which: object): Promise<Page[]>; openWindow(address: string): Promise<unknown> };
  skipWaiting(): Promise<void>;
};

const LOADED = 2000; // milliseconds in which a page has asked for all it shows first

const keeper = new Keeper(VERSION, { caches, fetch: (...asked) => fetch(...asked), origin: location.origin, later });

here.addEventListener<Lasting>("install", (event) => event.waitUntil(keeper.install()));
here.addEventListener<Lasting>("activate", (event) => event.waitUntil(keeper.activate().then(() => here.clients.claim())));
here.addEventListener<Asked>("fetch", (event) => {
  const answer = keeper.answer(event.request);
  if (answer) event.respondWith(answer);
});

/**
 * A page says which version it is. The one at work looks after it from now on: it does not know of a page that was loading when it came.
 * One that waits comes where no other page is open: none of another version ever loses its files. It comes once the page has what it was loaded for:
 * a request that reaches the older worker while the browser ends it starts it again, and it is not ended a second time until nothing has been asked of it
 * for half a minute.
 */
async function greeted({ data, source }: Said): Promise<void> {
  if (typeof data?.page !== "string") return;
  if (data.page !== VERSION.name) return source?.postMessage("newer");
  const atWork = await here.clients.claim().then(
    () => true,
    () => false,
  );
  if (atWork) return;
  await later(LOADED);
  if ((await windows()).length <= 1) await here.skipWaiting();
}

here.addEventListener<Said>("message", (event) => event.waitUntil(greeted(event)));

const windows = (): Promise<Page[]> => here.clients.matchAll({ type: "window", includeUncontrolled: true });

/** Whoever clicks on a notice is led to the page that it tells of, which may have been closed. */
async function lead(address: unknown): Promise<void> {
  const open = (await windows()).find(({ url }) => url === address);
  if (open) await open.focus();
  else if (typeof address === "string") await here.clients.openWindow(address);
}

here.addEventListener<Clicked>("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data));
});
