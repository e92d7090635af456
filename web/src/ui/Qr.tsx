// A text as a QR code.

import { generate } from "lean-qr";
import { useEffect, useRef } from "preact/hooks";

export function Qr({ text, label }: { text: string; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const code = generate(text);
    if (canvas.current) code.toCanvas(canvas.current, { on: [34, 37, 43, 255], off: [255, 255, 255, 255], padX: 2, padY: 2 });
  }, [text]);
  return <canvas ref={canvas} class="qr" role="img" aria-label={label} />;
}
