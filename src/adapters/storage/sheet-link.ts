/**
 * Returns the address of the CSV export of a sheet in Google Sheets, from the link that its window or its "Share" button shows; null for
 * every other address. The sheet is the one whose `gid` the link contains, else the first.
 */
export function sheetExport(url: URL): URL | null {
  if (url.hostname !== 'docs.google.com') return null;
  const [, id] =
    /^\/spreadsheets\/(?:u\/\d+\/)?d\/([\w-]{20,100})(?:\/(?:edit|view)?)?$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  const gid = /[?#&]gid=(\d{1,12})(?:&|$)/.exec(`${url.hash}&${url.search}`)?.[1];
  return new URL(
    `https://docs.google.com/spreadsheets/d/${id}/export?format=csv${gid === undefined ? '' : `&gid=${gid}`}`,
  );
}
