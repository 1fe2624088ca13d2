const newDays = 7;
const dayMs = 86_400_000;

/** True when an ad first ran at most seven days before the lookup that found it. */
export function isNew({
  start,
  observed_at: at,
}: {
  readonly start?: string | null;
  readonly observed_at: string;
}): boolean {
  if (start == null) return false;
  const days = (Date.parse(at.slice(0, 10)) - Date.parse(start)) / dayMs;
  return days >= 0 && days <= newDays;
}
