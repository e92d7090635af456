// Files for the visitor to keep.

/** Save what an address leads to. */
export function save(href: string, name: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}

/** Save something that was made here. */
export function saveBlob(made: Blob, name: string): void {
  const url = URL.createObjectURL(made);
  save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // a download may begin late
}

export const saveText = (text: string, name: string, kind: string): void => saveBlob(new Blob([text], { type: kind }), name);
