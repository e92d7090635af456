// A face beside a name; the name says who it is.

import { useMemo } from "preact/hooks";
import { computerFace, personFace } from "./faces";

export function Face({ id = "", name }: { id?: string; name: string }) {
  const drawn = useMemo(() => personFace(`${id} ${name}`), [id, name]);
  return <svg class="face" viewBox="0 0 48 48" aria-hidden="true" dangerouslySetInnerHTML={{ __html: drawn }} />;
}

export function ComputerFace({ level, nth = 0 }: { level: number; nth?: number }) {
  return <svg class="face computer" viewBox="0 0 48 48" aria-hidden="true" dangerouslySetInnerHTML={{ __html: computerFace(level, nth) }} />;
}
