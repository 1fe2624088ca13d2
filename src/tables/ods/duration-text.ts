/** Returns a duration such as `PT14H30M00S` as `14:30:00`, in whole seconds. Other text is returned as it is. */
export function durationText(text: string): string {
  const match = /^PT(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:[.,][0-9]+)?S)?$/.exec(text);
  if (match === null) return text;
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':');
}
