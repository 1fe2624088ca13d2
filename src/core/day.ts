/** Whether a text is a day that exists, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  // The year 0 exists for JavaScript and not for Postgres; 2024-02-30 is March for some parsers.
  return (
    /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(at) &&
    new Date(at).toISOString().startsWith(text)
  );
}
