import { ok, problem, warning, type Finding } from './finding.ts';

/** An export older than this misses ads that began since. Google's export is made anew every day; our choice. */
const snapshotDaysMax = 30;

/** Which sources a list is looked up in when it names none; empty where there are none. */
export function judgeDefaultSources(names: readonly string[]): Finding {
  const title = 'sources';
  if (names.length === 0) {
    const remedy =
      "`nightshift snapshot load FILE…` loads an export of Google's public dataset; NIGHTSHIFT_UPSTREAM_URL and " +
      'NIGHTSHIFT_UPSTREAM_KEY name a server that speaks the service contract; `--source sample` tries it with generated ads.';
    return warning(title, 'there is no ad source yet, so nothing can be looked up', remedy);
  }
  const found = names.join(', ');
  if (!names.includes('sample')) return ok(title, found);
  const remedy = 'Take sample out of NIGHTSHIFT_SOURCES; `--source sample` names it where it is wanted.';
  return warning(title, `${found}: lists that name no source are answered with generated ads`, remedy);
}

/** Whether a source that lists are looked up in can be used; `trouble` says why not. */
export function judgeSource(name: string, trouble: string | null): Finding {
  const title = `source ${name}`;
  if (trouble === null) return ok(title, 'can be used');
  return problem(title, trouble, 'Do what it says, or take the source out of NIGHTSHIFT_SOURCES.');
}

/** How old the snapshot is, by the newest day that any of its ads was seen. */
export function judgeSnapshotAge(newestDay: string | null, now: Date): Finding {
  const title = 'age of the snapshot';
  const remedy = 'Load a newer export: `nightshift snapshot load FILE…`.';
  if (newestDay === null) return warning(title, 'no ad in it has a date', remedy);
  const days = Math.floor((now.getTime() - Date.parse(newestDay)) / 86_400_000);
  const found = `its newest ad was seen on ${newestDay}, ${days} days ago`;
  return days <= snapshotDaysMax ? ok(title, found) : warning(title, found, remedy);
}

/** Whether the upstream's host can be reached; `trouble` says why not. Nothing was asked of it. */
export function judgeUpstream(url: string, trouble: string | null): Finding {
  const title = 'reaching the upstream';
  const { host } = new URL(url);
  if (trouble === null)
    return ok(title, `${host} answers; its key is set, and was not tried, since that could cost money`);
  return problem(
    title,
    `${host}: ${trouble}`,
    'Check NIGHTSHIFT_UPSTREAM_URL, and whether a firewall or a proxy stands between.',
  );
}
