/** Done after so many milliseconds. */
export const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
