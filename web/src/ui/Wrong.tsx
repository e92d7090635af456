// Why something typed was not taken, said at once to whoever can't see it.

export function Wrong({ text }: { text: string | null | undefined }) {
  return text ? (
    <p role="alert" class="wrong">
      {text}
    </p>
  ) : null;
}
