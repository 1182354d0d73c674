/** The moment of all pictures. */
export const NOW: number = Date.parse('2026-07-01T12:00:00Z');
