// What is about to come, in grey.

/** Grey lines where a list is about to come. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      {Array.from({ length: lines }, (_, index) => (
        <div class="skeleton-part" key={index} />
      ))}
    </div>
  );
}
